import type { en } from './en'

export const fr: typeof en = {
  lesson: 'Leçon',
  learning: (game) => `Apprendre ${game}`,
  begins: 'La leçon commence…',
  none: 'Il n’y a pas de leçon pour ce jeu.',
  notLoaded: 'La leçon n’a pas pu être chargée. Vous pouvez continuer sans elle.',
  step: (number, count) => `${number} sur ${count}`,
  stepAloud: (number, count) => `Étape ${number} sur ${count}.`,
  next: 'Suivant',
  skip: 'Passer la leçon',
  resume: 'Leçon',
  strayed: 'Vous avez pris votre propre chemin. C’est désormais une partie comme les autres.',
  playOn: 'Continuer à jouer',
  finish: 'Terminer ici',
  done: 'Terminé',
  toLobby: 'Vers le salon',
}
