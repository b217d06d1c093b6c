/** How many can play: with steps of two, two or four and not three. */
export interface Players {
  fewest: number
  most: number
  step: number
}

/** All of these numbers. */
export const possible = ({ fewest, most, step }: Players) => Array.from({ length: Math.floor((most - fewest) / step) + 1 }, (_, i) => fewest + i * step)

/** The nearest number that can play, of those that are not greater. */
export const nearest = ({ fewest, most, step }: Players, number: number) => {
  const within = Math.max(fewest, Math.min(number, most))
  return within - ((within - fewest) % step)
}

/** How many more it takes until so many can play. */
export const missing = ({ fewest, step }: Players, there: number) =>
  there < fewest ? fewest - there : (step - ((there - fewest) % step)) % step
