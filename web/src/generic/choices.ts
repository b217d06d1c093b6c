/** What can be done, by what it names: the cards in our hand, a card on the table, or nothing but words. */

import { recognised } from './notation'
import type { Form } from '@croupier/table/native'

export interface Choice {
  move: unknown
  /** What people read, step by step: `steal › Ada`. */
  steps: string[]
  /** What explains it: `tax — 3 coins`. */
  why: string
  /** The cards that it names. */
  cards: readonly unknown[]
  /** The seats that it names. */
  seats: readonly number[]
  /** Whether it names nothing at all. */
  bare: boolean
  kind: string
}

export const STEP = ' › '
const WHY = ' — '

/** The moves with their labels; those that are the same to people once. */
export function choices(moves: readonly unknown[], labels: readonly string[]): Choice[] {
  const found = new Map<string, Choice>()
  moves.forEach((move, i) => {
    const { move: kind, ...rest } = move as Record<string, unknown>
    const label = labels[i] || fallback(String(kind), rest)
    if (found.has(label)) return
    const parts = label.split(STEP).map((step) => step.split(WHY))
    const why = parts.flatMap((part) => part.slice(1)).join(', ')
    const bare = Object.values(rest).every((value) => value === null)
    found.set(label, { move, steps: parts.map((part) => part[0]!), why, cards: cardsOf(rest), seats: seatsOf(rest), bare, kind: String(kind) })
  })
  return [...found.values()]
}

/** For a server that has no words for it. */
function fallback(kind: string, rest: Record<string, unknown>): string {
  const said = Object.values(rest).map((value) => (Array.isArray(value) ? value.join(' + ') : typeof value === 'object' ? '' : String(value)))
  return [kind.replaceAll('_', ' '), ...said.filter(Boolean)].join(STEP)
}

/** A number is a card only where it is called so: others are seats, or amounts. */
function cardsOf(rest: Record<string, unknown>): unknown[] {
  return Object.entries(rest).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string' || (typeof one === 'number' && /card/.test(name))),
  )
}

const SEAT = /(^|_)(seat|target|player|dealer|leader|winner|declarer|banker)(_|$)/

/** A number is a seat where it is called so, as on the server. */
function seatsOf(rest: Record<string, unknown>): number[] {
  return Object.entries(rest).flatMap(([name, value]) => (typeof value === 'number' && SEAT.test(name) ? [value] : []))
}

/** Those of the cards that are among these, as often as they are there. */
export function among(cards: readonly unknown[], all: readonly unknown[]): unknown[] {
  const left = [...all]
  return cards.filter((card) => {
    const at = left.indexOf(card)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

/** The cards of our hand by which a move is made: all that it names; or one, where the others lie elsewhere. */
export function inHand(choice: Choice, hand: readonly unknown[]): unknown[] {
  const found = among(choice.cards, hand)
  const named = choice.cards.filter((card) => hand.includes(card) || recognised(card))
  return found.length === named.length || found.length === 1 ? found : []
}

/** The field of a form that is about cards of our hand: what it is called, which they are, and how many are enough. */
export function heldField(form: Form, hand: readonly unknown[]): { name?: string; of: readonly unknown[]; most: number } {
  for (const [name, field] of Object.entries(form.fields)) {
    if (field.kind === 'number_in' || !field.of.length || !within(field.of, hand)) continue
    if (/card/.test(name) || field.of.some((one) => recognised(one))) return { name, of: field.of, most: field.kind === 'one_of' ? 1 : field.most }
  }
  return { of: [], most: 0 }
}

const counted = (cards: readonly unknown[]) => cards.map(String).sort().join()

/** Whether these are the very cards. */
export const same = (one: readonly unknown[], other: readonly unknown[]) => counted(one) === counted(other)

/** Whether all of these are among the others. */
export const within = (some: readonly unknown[], all: readonly unknown[]) => among(some, all).length === some.length

export interface Group {
  /** What they have in common. */
  title: string
  /** `opens`: it is the next step of several, which are shown when it is taken. */
  items: { text: string; choice: Choice; opens?: string }[]
}

/** More than these would push everything else off a phone. */
const MANY = 8

/** What all of these have in common, and what is left to be said of each. */
export function told(all: readonly Choice[]): Group {
  const common = all.length > 1 ? all[0]!.steps.filter((step) => all.every(({ steps }) => steps.includes(step))) : []
  const items = all.map((choice) => ({ choice, text: choice.steps.filter((step) => !common.includes(step)).join(STEP) || choice.steps.join(STEP) }))
  return { title: common.join(STEP), items }
}

/** By their first steps; what stands alone is all in one group, without a title. */
export function grouped(all: readonly Choice[]): Group[] {
  const by = new Map<string, Choice[]>()
  for (const choice of all) by.set(choice.steps[0]!, [...(by.get(choice.steps[0]!) ?? []), choice])
  const alone = [...by.values()].filter((some) => some.length === 1).map(([choice]) => ({ choice: choice!, text: choice!.steps.join(STEP) }))
  const groups = [...by.values()].filter((some) => some.length > 1).map(told)
  return alone.length ? [...groups, { title: '', items: alone }] : groups
}

/** What there is to do after so many steps; where that is much, step by step. */
export function folded(all: readonly Choice[], depth: number): Group[] {
  if (all.length <= MANY) return depth ? [{ ...told(all), title: '' }] : grouped(all)
  const by = new Map<string, Choice[]>()
  for (const choice of all) by.set(choice.steps[depth] ?? '', [...(by.get(choice.steps[depth] ?? '') ?? []), choice])
  const items = [...by].map(([step, some]) => (some.length === 1 || !step || by.size === 1 ? some.map((choice) => ({ text: choice.steps.slice(depth).join(STEP), choice })) : [{ text: `${step} …`, choice: some[0]!, opens: step }]))
  return [{ title: '', items: items.flat() }]
}

/** Whether a choice begins with these steps. */
export const begins = (choice: Choice, path: readonly string[]) => path.every((step, i) => choice.steps[i] === step)

export const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
