import type { Who } from '@croupier/table'
import type { Event, Move, Propose, View } from '../../protocol/coup'
import { t } from './words'

export type Character = NonNullable<View['block_as']>
export type Action = Propose['action']

export interface Role {
  /** Told by shape first; the colour only helps. */
  colour: string
  /** The emblem, 24 by 24: what is filled, and what is drawn. */
  fill: string
  line: string
}

export const ROLES: Record<Character, Role> = {
  duke: {
    colour: '#71368a',
    fill: 'M3 7.5l4.6 3.8L12 4l4.4 7.3L21 7.5 19.4 17H4.6zM4.6 18.6h14.8V21H4.6z',
    line: '',
  },
  assassin: {
    colour: '#3b4048',
    fill: 'M8.7 10.4h6.6L12 23.2zM4.4 7.4h15.2v2.5H4.4zM10.6 3.6h2.8v5h-2.8zM12 .8a2.1 2.1 0 1 1 0 4.2 2.1 2.1 0 0 1 0-4.2z',
    line: '',
  },
  captain: {
    colour: '#1f5fa3',
    fill: '',
    line: 'M12 7v14M8 10.4h8M3.6 13.6c.7 4.6 4.1 7.4 8.4 7.4s7.7-2.8 8.4-7.4M3.6 13.6l-1 3.4M3.6 13.6l2.9 2M20.4 13.6l1 3.4M20.4 13.6l-2.9 2M12 7a2.2 2.2 0 1 0 0-4.4A2.2 2.2 0 0 0 12 7',
  },
  ambassador: {
    colour: '#44701f',
    fill: 'M12 11.4a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM10 16.6L9.2 21l2.8-1.5 2.8 1.5-.8-4.4z',
    line: 'M9 18H2.6V5h18.8v13H15M2.9 5.4L12 11.4l9.1-6',
  },
  contessa: {
    colour: '#b03a2a',
    fill: 'M12 18.8a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4z',
    line: 'M12 20L1.9 12.2a10.6 10.6 0 0 1 20.2 0zM12 20L6.4 6.6M12 20V4.6M12 20l5.6-13.4M5.6 14.2a7 7 0 0 1 12.8 0',
  },
}
export const CHARACTERS = Object.keys(ROLES) as Character[]

export interface Deed {
  action: Action
  /** What comes of it, in a few letters. */
  gain: string
  claims?: Character
}

export const DEEDS: readonly Deed[] = [
  { action: 'income', gain: '+1' },
  { action: 'foreign_aid', gain: '+2' },
  { action: 'tax', gain: '+3', claims: 'duke' },
  { action: 'steal', gain: '+2', claims: 'captain' },
  { action: 'exchange', gain: '⇄', claims: 'ambassador' },
  { action: 'assassinate', gain: '−3', claims: 'assassin' },
  { action: 'coup', gain: '−7' },
]
export const MUST_COUP = 10

/** The actions for which a character has to be claimed. */
export type Claimable = 'tax' | 'steal' | 'exchange' | 'assassinate'
const CLAIMED = Object.fromEntries(DEEDS.map((deed) => [deed.action, deed.claims])) as Record<Action, Character | undefined>
const claimable = (action: Action): action is Claimable => CLAIMED[action] !== undefined

/** The actions that somebody is aimed at with. */
export type Aimed = 'coup' | 'assassinate' | 'steal'

/** How somebody is called, and who we are. */
export interface Names {
  (seat: number): string
  own: number | null
}

/** Somebody, as sentences speak of them. */
export const who = (names: Names, seat: number): Who => (seat === names.own ? null : names(seat))

/** What is aimed at whoever's view it is: the loss of a card, that can be averted or not. */
export function threat(view: View): 'coup' | 'assassinate' | undefined {
  if (view.seat === null) return undefined
  if (view.losing === view.seat) return view.reason === 'coup' || view.reason === 'assassinate' ? view.reason : undefined
  return view.phase === 'action_window' && view.action === 'assassinate' && view.target === view.seat ? 'assassinate' : undefined
}

/** What somebody who is stolen from or assassinated stands to lose. */
function stake(view: View, action: Action): string {
  if (view.seat === null || view.target !== view.seat) return ''
  if (action === 'steal') return t.coinsAtStake(Math.min(2, view.coins[view.seat] ?? 0))
  return action === 'assassinate' ? t.cardAtStake((view.revealed[view.seat]?.length ?? 0) > 0) : ''
}

export interface Claim {
  /** The character in question. */
  character?: Character
  text: string
  /** A second line. */
  more: string
}

/** What is going on, in words. */
export function claim(view: View, names: Names): Claim {
  const { current, target, action } = view
  if (view.phase === 'game_over' && view.winner !== null) return { text: t.wins(who(names, view.winner)), more: t.nobodyElse }
  if (view.phase === 'losing_card' && view.losing !== null) {
    const struck = threat(view)
    if (struck) return { text: t.struck[struck], more: '' }
    return { text: t.mustLose(who(names, view.losing)), more: view.reason ? t.reasons[view.reason] : '' }
  }
  if (current === null) return { text: '', more: '' }
  if (view.paused_since !== null) return { text: t.paused, more: '' }
  const actor = who(names, current)
  if (view.phase === 'exchanging') return { character: 'ambassador', text: t.exchanging(actor), more: actor === null ? '' : t.twoDrawn }
  if (view.phase === 'block_window' && view.blocker !== null && view.block_as && action)
    return { character: view.block_as, text: t.blocks(who(names, view.blocker), view.block_as, actor, action), more: '' }
  if (view.phase === 'action_window' && action) {
    if (action === 'foreign_aid') return { text: t.wantsAid(actor), more: t.aidMeans }
    if (claimable(action)) {
      const character = CLAIMED[action]!
      const aim = target === null ? null : who(names, target)
      if (view.block_only) return { character, text: t.hasIt(actor, character), more: target === null ? '' : `${t.mayStillBlock(aim, action)} ${stake(view, action)}`.trim() }
      return { character, text: t.claims(actor, character, action, aim), more: stake(view, action) }
    }
  }
  return { text: t.turn(actor), more: '' }
}

/** What the latest fact meant: the most telling of its events. */
export function news(events: readonly Event[], names: Names): string {
  let found: string[] = []
  for (const event of events) {
    const actor = 'seat' in event ? who(names, event.seat) : null
    switch (event.event) {
      case 'challenged':
        found = [t.challenged(actor, who(names, event.accused), event.character, event.correct)]
        break
      case 'revealed':
        found.push(t.loses(actor, event.card))
        break
      case 'went_out':
        found.push(t.isOut(actor))
        break
      case 'kicked':
        found = [t.hasLeft(actor)]
        break
      case 'passed':
        if (event.reason === 'blocked') found = [t.blockStands(actor)]
        else if (event.reason === 'withdrawn') found = [t.givesUp(actor)]
        else found.push(t.nothingComesOfIt)
        break
      case 'executed':
        found = [t.done(actor, event.action, event.target === null ? null : who(names, event.target))]
        break
      case 'allowed':
        found = [t.letsItPass(actor)]
        break
      case 'exchanged':
        found = [t.hasExchanged(actor)]
        break
      case 'resumed':
        found = [t.everybodyIsHere]
        break
    }
  }
  return found.join(' ')
}

/** What took the last card that was in the way of the winner, as far as we have seen it. */
export function decided(events: readonly Event[], names: Names): string {
  if (!events.some((event) => event.event === 'ended')) return ''
  const found: string[] = []
  for (const event of events) {
    const actor = 'seat' in event ? who(names, event.seat) : null
    if (event.event === 'challenged') found.push(t.challenged(actor, who(names, event.accused), event.character, event.correct))
    else if (event.event === 'executed') found.push(t.done(actor, event.action, event.target === null ? null : who(names, event.target)))
    else if (event.event === 'kicked') found.push(t.hasLeft(actor))
    else if (event.event === 'revealed' && event.reason !== 'kicked') found.push(event.revealed.length > 1 ? t.losesLast(actor, event.card) : t.loses(actor, event.card))
  }
  return found.join(' ')
}

/** The moves of one kind that are offered. */
export function offers<K extends Move['move']>(moves: readonly Move[], kind: K): Extract<Move, { move: K }>[] {
  return moves.filter((move): move is Extract<Move, { move: K }> => move.move === kind)
}
