export const en = {
  lesson: 'Lesson',
  /** The name of the table. */
  learning: (game: string) => `Learning ${game}`,
  begins: 'The lesson begins…',
  none: 'There is no lesson of this game.',
  notLoaded: 'The lesson could not be loaded. You can play on without it.',
  step: (number: number, count: number) => `${number} of ${count}`,
  /** For those who hear it. */
  stepAloud: (number: number, count: number) => `Step ${number} of ${count}.`,
  next: 'Next',
  skip: 'Skip the lesson',
  resume: 'Lesson',
  strayed: 'You have gone a way of your own. From here on this is a game like any other.',
  playOn: 'Play on',
  finish: 'Finish here',
  done: 'Done',
  toLobby: 'To the lobby',
}
