/** The language of the page. It stays the same until the page is loaded again, so that words are plain values. */
import { read } from './storage'

/** By their codes, what the languages call themselves. */
export const LANGUAGES = { en: 'English', fr: 'Français' }
export type Language = keyof typeof LANGUAGES

function known(code: string): code is Language {
  return Object.hasOwn(LANGUAGES, code)
}

/** What was chosen here, or else the first of the browser's languages that we speak. */
export const language: Language =
  [read('language', ''), ...navigator.languages.map((code) => code.slice(0, 2))].find(known) ?? 'en'

/** A number as it is printed, in all of them. */
export const printed = (number: number) => String(number).replace('-', '−')
