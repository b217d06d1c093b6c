import { language } from '@croupier/table'
import type { AnalysisLine } from '@croupier/table/native'
import { t } from '../words'

export type Analysis = NonNullable<AnalysisLine['analysis']>
export type Decision = Analysis['decisions'][number]
export type Verdict = Decision['verdict']

/** As chess players write it. */
export const SIGNS: Record<Verdict, string> = { best: '✓', fine: '≈', slip: '?!', mistake: '?', blunder: '??' }

/** What comes of an analysis, line by line; `progress` is told how far it is. */
export async function analysed(address: string, progress: (done: number, of: number) => void, signal: AbortSignal): Promise<Analysis> {
  const response = await fetch(address, { signal }).catch((error: unknown) => {
    throw signal.aborted ? error : new Error(t.noConnection)
  })
  if (!response.ok || !response.body) {
    const { error } = (await response.json().catch(() => ({ error: t.noAnswer }))) as { error: string }
    throw new Error(error)
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let rest = ''; ; ) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw signal.aborted ? error : new Error(t.noConnection)
    })
    if (done) throw new Error(t.noConnection)
    const lines = (rest + value).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const told = JSON.parse(line) as AnalysisLine
      if (told.analysis) return told.analysis
      if (told.error) throw new Error(told.error)
      progress(told.done ?? 0, told.of ?? 0)
    }
  }
}

/** What something is worth: a share of the chances, or points. */
export function amount(share: number, points: number, signed = false): string {
  const signDisplay = signed ? 'exceptZero' : 'auto'
  if (!points) return new Intl.NumberFormat(language, { style: 'percent', signDisplay }).format(share)
  return t.analysis.points(new Intl.NumberFormat(language, { maximumFractionDigits: 1, signDisplay }).format(share * points))
}
