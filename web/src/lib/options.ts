import { printed } from '@croupier/table'
import type { GameInfo } from '@croupier/table/native'
import { t } from '../words'
import type { Players } from './players'

/** A game's options, as the server describes them in JSON Schema; for the keys of our own see docs/write-your-own-game.md. */
export interface Option {
  title: string
  description?: string
  type?: string
  enum?: (string | number)[]
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
  'x-labels'?: Record<string, string>
  'x-unit'?: 's' | 'ms'
  'x-least'?: number
  'x-when'?: Record<string, unknown>
  'x-hidden'?: boolean
  'x-seats'?: Record<string, readonly [fewest: number, most: number]>
}

export type Schema = { [key: string]: unknown }
export type Values = Record<string, unknown>

const every = (schema: Schema) => Object.entries((schema.properties ?? {}) as Record<string, Option>)

/** Those that people are asked about, the others being as they are. */
export function options(schema: Schema, values: Values = {}): [name: string, option: Option][] {
  const all = every(schema)
  const defaults = Object.fromEntries(all.map(([name, option]) => [name, option.default]))
  const matters = (option: Option) => Object.entries(option['x-when'] ?? {}).every(([name, value]) => (values[name] ?? defaults[name]) === value)
  return all.filter(([, option]) => !option['x-hidden'] && matters(option))
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1).replaceAll('_', ' ')

/** A value of an option in words. */
export function inWords(option: Option, value: unknown): string {
  const label = option['x-labels']?.[String(value)]
  if (label !== undefined) return label
  if (typeof value === 'boolean') return value ? t.options.on : t.options.off
  if (typeof value !== 'number') return capital(String(value))
  return option['x-unit'] ? t.options.time(option['x-unit'] === 'ms' ? value / 1000 : value) : printed(value)
}

/** Nobody wants 4711 seconds. */
const TIMES = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1800, 3600]
const COUNTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 50, 100, 200, 500, 1000]

/** What there is to choose from, where that is more than a number or a yes; among it, in any case, what is now. */
export function choices(option: Option, now: unknown): (string | number)[] | undefined {
  if (option.enum) return option.enum
  const { minimum = 0, maximum = Infinity, 'x-least': least = minimum, 'x-labels': labels = {}, 'x-unit': unit } = option
  if (typeof option.default !== 'number' || (!unit && !Object.keys(labels).length)) return undefined
  const ladder = unit ? TIMES.map((seconds) => (unit === 'ms' ? seconds * 1000 : seconds)) : COUNTS
  const usual = ladder.filter((value) => value >= least && value <= maximum)
  const values = new Set([...Object.keys(labels).map(Number), ...usual, option.default, Number(now)])
  return [...values].filter((value) => value >= minimum).sort((a, b) => a - b)
}

/** What is not as usual. */
export function unusual(schema: Schema, values: Values): string[] {
  return options(schema, values)
    .filter(([name, option]) => name in values && values[name] !== option.default)
    .map(([name, option]) => t.options.chosen(option.title, inWords(option, values[name])))
}

/** How many can play when the options are like that. */
export function players(game: GameInfo, values: Values = {}): Players {
  let { fewest, most } = game
  const decisive = every(game.options).filter(([, option]) => option['x-seats'])
  for (const [, option] of decisive) [fewest, most] = option['x-seats']![String(option.default)]!
  const usual = { fewest, most }
  for (const [name, option] of decisive) {
    const [least, greatest] = option['x-seats']![String(values[name] ?? option.default)] ?? [fewest, most]
    if (least !== usual.fewest) fewest = least
    if (greatest !== usual.most) most = greatest
  }
  return { fewest, most, step: game.step ?? 1 }
}
