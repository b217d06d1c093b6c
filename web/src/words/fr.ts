import type { en } from './en'

export const fr: typeof en = {
  connecting: 'Connexion…',
}
