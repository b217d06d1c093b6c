/** The suits: their sign in the protocol, colour and shape (in a box of 24 by 24). Four suits, four colours. Jokers
 * are '★R' and '★B': a rank of their own, in two colours. */
export interface Suit {
  colour: string
  shape: string
}

const STAR = 'M12 1.6l3.1 6.9 7.5.8-5.6 5.1 1.6 7.4-6.6-3.8-6.6 3.8 1.6-7.4-5.6-5.1 7.5-.8z'

export const SUITS: Record<string, Suit> = {
  R: { colour: '#c5202e', shape: STAR },
  B: { colour: '#20242e', shape: STAR },
  '♣': {
    colour: '#157347',
    shape:
      'M12 1.6a4.7 4.7 0 0 1 3.7 7.6 4.7 4.7 0 1 1-2.3 7.6q.2 3.5 2.8 5.6H7.8q2.6-2.1 2.8-5.6a4.7 4.7 0 1 1-2.3-7.6A4.7 4.7 0 0 1 12 1.6Z',
  },
  '♦': { colour: '#1c5fc4', shape: 'M12 .8q3.6 6 8.4 11.2Q15.6 17.2 12 23.2 8.4 17.2 3.6 12 8.4 6.8 12 .8Z' },
  '♥': {
    colour: '#c5202e',
    shape: 'M12 22.4C8.5 17.4 1.6 13.6 1.6 7.6a5.4 5.4 0 0 1 10.4-1.9 5.4 5.4 0 0 1 10.4 1.9c0 6-6.9 9.8-10.4 14.8Z',
  },
  '♠': {
    colour: '#20242e',
    shape:
      'M12 1c3 4.8 10.2 8.2 10.2 13.6a4.7 4.7 0 0 1-8.8 2.3q.2 3.5 2.8 5.5H7.8q2.6-2 2.8-5.5a4.7 4.7 0 0 1-8.8-2.3C1.8 9.2 9 5.8 12 1Z',
  },
}

export const rank = (card: string): string => card.slice(0, -1)
export const suit = (card: string): Suit => SUITS[card.slice(-1)]!
