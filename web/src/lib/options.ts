import { t } from '../words'

/** A game's options, as the server describes them in JSON Schema. */
export interface Option {
  title?: string
  description?: string
  type?: string
  enum?: (string | number)[]
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
}

export type Schema = { [key: string]: unknown }

export function options(schema: Schema): [name: string, option: Option][] {
  return Object.entries((schema.properties ?? {}) as Record<string, Option>)
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1).replaceAll('_', ' ')

export function title(name: string, option: Option): string {
  return option.title ?? capital(name)
}

/** A value in words. */
export function inWords(value: unknown): string {
  return typeof value === 'boolean' ? (value ? t.options.on : t.options.off) : capital(String(value))
}

/** What is not as usual. */
export function unusual(schema: Schema, values: Record<string, unknown>): string[] {
  return options(schema)
    .filter(([name, option]) => name in values && values[name] !== option.default)
    .map(([name, option]) => t.options.chosen(title(name, option), inWords(values[name])))
}
