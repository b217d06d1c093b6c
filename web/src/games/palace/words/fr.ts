import type { en } from './en'

export const fr: typeof en = {
  over: 'La partie est finie',
  out: (place) => `Vous avez fini : ${place === 1 ? '1re' : `${place}e`} place !`,
}
