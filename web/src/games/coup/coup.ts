import type { Event, Move, Propose, View } from '../../protocol/coup'

export type Character = NonNullable<View['block_as']>
export type Action = Propose['action']

export interface Role {
  name: string
  /** Told by shape first; the colour only helps. */
  colour: string
  /** The emblem, 24 by 24: what is filled, and what is drawn. */
  fill: string
  line: string
  does: string
  blocks: string
}

export const ROLES: Record<Character, Role> = {
  duke: {
    name: 'Duke',
    colour: '#71368a',
    fill: 'M3 7.5l4.6 3.8L12 4l4.4 7.3L21 7.5 19.4 17H4.6zM4.6 18.6h14.8V21H4.6z',
    line: '',
    does: 'Tax: take 3 coins',
    blocks: 'foreign aid',
  },
  assassin: {
    name: 'Assassin',
    colour: '#3b4048',
    fill: 'M8.7 10.4h6.6L12 23.2zM4.4 7.4h15.2v2.5H4.4zM10.6 3.6h2.8v5h-2.8zM12 .8a2.1 2.1 0 1 1 0 4.2 2.1 2.1 0 0 1 0-4.2z',
    line: '',
    does: 'Assassinate: pay 3 coins, somebody loses a card',
    blocks: '',
  },
  captain: {
    name: 'Captain',
    colour: '#1f5fa3',
    fill: '',
    line: 'M12 7v14M8 10.4h8M3.6 13.6c.7 4.6 4.1 7.4 8.4 7.4s7.7-2.8 8.4-7.4M3.6 13.6l-1 3.4M3.6 13.6l2.9 2M20.4 13.6l1 3.4M20.4 13.6l-2.9 2M12 7a2.2 2.2 0 1 0 0-4.4A2.2 2.2 0 0 0 12 7',
    does: 'Steal: take 2 coins from somebody',
    blocks: 'stealing',
  },
  ambassador: {
    name: 'Ambassador',
    colour: '#44701f',
    fill: 'M12 11.4a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM10 16.6L9.2 21l2.8-1.5 2.8 1.5-.8-4.4z',
    line: 'M9 18H2.6V5h18.8v13H15M2.9 5.4L12 11.4l9.1-6',
    does: 'Exchange: draw 2 cards, keep what you like',
    blocks: 'stealing',
  },
  contessa: {
    name: 'Contessa',
    colour: '#b03a2a',
    fill: 'M12 18.8a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4z',
    line: 'M12 20L1.9 12.2a10.6 10.6 0 0 1 20.2 0zM12 20L6.4 6.6M12 20V4.6M12 20l5.6-13.4M5.6 14.2a7 7 0 0 1 12.8 0',
    does: '',
    blocks: 'assassination',
  },
}
export const CHARACTERS = Object.keys(ROLES) as Character[]

export interface Deed {
  action: Action
  name: string
  /** What comes of it, in a few letters and in words. */
  gain: string
  about: string
  claims?: Character
  aimed?: boolean
  fee: number
}

export const DEEDS: readonly Deed[] = [
  { action: 'income', name: 'Income', gain: '+1', about: 'take 1 coin', fee: 0 },
  { action: 'foreign_aid', name: 'Foreign aid', gain: '+2', about: 'take 2 coins', fee: 0 },
  { action: 'tax', name: 'Tax', gain: '+3', about: 'take 3 coins', claims: 'duke', fee: 0 },
  { action: 'steal', name: 'Steal', gain: '+2', about: 'take 2 coins from somebody', claims: 'captain', aimed: true, fee: 0 },
  { action: 'exchange', name: 'Exchange', gain: '⇄', about: 'exchange cards', claims: 'ambassador', fee: 0 },
  { action: 'assassinate', name: 'Assassinate', gain: '−3', about: 'pay 3 coins: somebody loses a card', claims: 'assassin', aimed: true, fee: 3 },
  { action: 'coup', name: 'Coup', gain: '−7', about: 'pay 7 coins: somebody loses a card', aimed: true, fee: 7 },
]
export const MUST_COUP = 10

const CLAIMED = Object.fromEntries(DEEDS.map((deed) => [deed.action, deed.claims])) as Record<Action, Character | undefined>

/** How somebody is called: "You" or a name, and whether the verb takes an s. */
export interface Names {
  (seat: number): string
  own: number | null
}

const isOwn = (names: Names, seat: number | null) => seat !== null && seat === names.own
/** "Ann claims", "You claim". */
export const does = (names: Names, seat: number, verb: string, third = `${verb}s`) => (isOwn(names, seat) ? `You ${verb}` : `${names(seat)} ${third}`)
/** The same in the middle of a sentence. */
const within = (words: string) => words.replace(/^You /, 'you ')
/** Somebody as an object: "you", "Ann". */
export const whom = (names: Names, seat: number) => (isOwn(names, seat) ? 'you' : names(seat))
export const whose = (names: Names, seat: number) => (isOwn(names, seat) ? 'your' : `${names(seat)}’s`)

export interface Claim {
  /** The character in question. */
  character?: Character
  text: string
  /** A second line. */
  more: string
}

const NOUNS: Record<Action, string> = {
  income: 'income',
  foreign_aid: 'foreign aid',
  coup: 'coup',
  tax: 'tax',
  assassinate: 'assassination',
  steal: 'theft',
  exchange: 'exchange',
}

/** What is going on, in words. */
export function claim(view: View, names: Names): Claim {
  const { current, target, action } = view
  if (view.phase === 'game_over' && view.winner !== null) return { text: `${does(names, view.winner, 'win')}!`, more: 'Nobody else has a card left.' }
  if (view.phase === 'losing_card' && view.losing !== null)
    return { text: does(names, view.losing, 'must lose a card', 'must lose a card'), more: view.reason ? REASONS[view.reason] : '' }
  if (current === null) return { text: '', more: '' }
  if (view.phase === 'exchanging')
    return { character: 'ambassador', text: `${does(names, current, 'exchange')} cards`, more: isOwn(names, current) ? '' : 'Two cards were drawn from the deck.' }
  if (view.phase === 'block_window' && view.blocker !== null && view.block_as && action)
    return {
      character: view.block_as,
      text: `${does(names, view.blocker, 'claim')} ${ROLES[view.block_as].name} to block ${whose(names, current)} ${NOUNS[action]}`,
      more: '',
    }
  if (view.phase === 'action_window' && action) {
    const claimed = CLAIMED[action]
    const at = target === null ? '' : whom(names, target)
    if (view.block_only && claimed)
      return {
        character: claimed,
        text: `${does(names, current, 'do have', 'does have')} the ${ROLES[claimed].name}`,
        more: `${target === null ? '' : does(names, target, 'may still block', 'may still block')} the ${NOUNS[action]}.`,
      }
    if (action === 'foreign_aid') return { text: `${does(names, current, 'want')} to take foreign aid`, more: '2 coins, unless somebody blocks as Duke.' }
    if (claimed) {
      const end = { tax: 'take tax', assassinate: `assassinate ${at}`, steal: `steal from ${at}`, exchange: 'exchange cards' }[action as string] ?? action
      return { character: claimed, text: `${does(names, current, 'claim')} ${ROLES[claimed].name} to ${end}`, more: '' }
    }
  }
  return { text: isOwn(names, current) ? 'Your turn' : `${whose(names, current)} turn`, more: '' }
}

const REASONS = {
  coup: 'That is what a coup does.',
  assassinate: 'The assassin has struck.',
  bs_wrong: 'BS was called on the truth.',
  bs_caught: 'A bluff was caught.',
}

/** What the latest fact meant: the most telling of its events. */
export function news(events: readonly Event[], names: Names): string {
  let found = ''
  for (const event of events) {
    switch (event.event) {
      case 'challenged': {
        const role = ROLES[event.character].name
        const verdict = event.correct
          ? `and rightly: ${within(does(names, event.accused, 'have', 'has'))} no ${role}.`
          : `but ${within(does(names, event.accused, 'do have', 'does have'))} the ${role}.`
        found = `${does(names, event.seat, 'call')} BS, ${verdict}`
        break
      }
      case 'revealed':
        found = `${found} ${does(names, event.seat, 'lose')} the ${ROLES[event.card].name}.`.trim()
        break
      case 'went_out':
        found = `${found} ${does(names, event.seat, 'are', 'is')} out.`.trim()
        break
      case 'kicked':
        found = `${does(names, event.seat, 'have', 'has')} left the game.`
        break
      case 'passed':
        if (event.reason === 'blocked') found = `${whose(names, event.seat)} block stands.`
        else if (event.reason === 'withdrawn') found = `${does(names, event.seat, 'give')} up the action.`
        else found = `${found} Nothing comes of the action.`.trim()
        found = found.slice(0, 1).toUpperCase() + found.slice(1)
        break
      case 'executed':
        found = done(event.seat, event.action, event.target, names)
        break
      case 'allowed':
        found = `${does(names, event.seat, 'let')} it pass.`
        break
      case 'exchanged':
        found = `${does(names, event.seat, 'have', 'has')} exchanged cards.`
        break
      case 'resumed':
        found = 'Everybody is here: the game goes on.'
        break
    }
  }
  return found
}

function done(seat: number, action: Action, target: number | null, names: Names): string {
  const at = target === null ? '' : whom(names, target)
  switch (action) {
    case 'income':
      return `${does(names, seat, 'take')} income.`
    case 'foreign_aid':
      return `${does(names, seat, 'get')} foreign aid.`
    case 'tax':
      return `${does(names, seat, 'take')} tax.`
    case 'steal':
      return `${does(names, seat, 'steal')} from ${at}.`
    case 'assassinate':
      return `${does(names, seat, 'assassinate')} ${at}.`
    case 'exchange':
      return `${does(names, seat, 'draw')} two cards.`
    case 'coup':
      return `${does(names, seat, 'stage')} a coup against ${at}.`
  }
}

/** The moves of one kind that are offered. */
export function offers<K extends Move['move']>(moves: readonly Move[], kind: K): Extract<Move, { move: K }>[] {
  return moves.filter((move): move is Extract<Move, { move: K }> => move.move === kind)
}

/** "Duke", "Duke and Captain". */
export const list = (cards: readonly Character[]) => cards.map((card) => ROLES[card].name).join(' and ')
