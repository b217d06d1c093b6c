/** The server said no. `code` is for programs, the message for people; `data` is what it names. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly data: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
  }
}

/** The game had gone on before the move arrived. It was not made, and what is offered now is something else. */
export class TooLate extends Refused {}

/** The connection was lost before the answer came: whether it was done, nobody knows. */
export class Lost extends Error {
  constructor() {
    super('the connection was lost before the server answered')
  }
}
