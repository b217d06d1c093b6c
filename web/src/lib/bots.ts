import type { BotInfo, GameInfo } from '@croupier/table/native'

const STRENGTHS: readonly BotInfo['strength'][] = ['easy', 'medium', 'strong', 'master']
const level = (bot: BotInfo) => STRENGTHS.indexOf(bot.strength)

/** Weakest first; of two alike, the one that the game names first. */
export const ranked = (game: GameInfo) => [...game.bots].sort((a, b) => level(a) - level(b))

/** For somebody who has never played the game. */
export const easiest = (game: GameInfo): string => ranked(game)[0]?.name ?? ''

/** The next stronger kind, if there is one. */
export function stronger(game: GameInfo, than: string): string | undefined {
  const weak = game.bots.find((bot) => bot.name === than)
  return weak && ranked(game).find((bot) => level(bot) > level(weak))?.name
}
