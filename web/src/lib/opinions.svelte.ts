import { sentence } from './errors'
import { me } from './me.svelte'
import { memory } from './memory.svelte'

/** What we think of others: whom we do not hear, and whom we do not meet. Of people whom the server knows it is kept there, for all
 * our devices; of others here, by their names. */

export type How = 'mute' | 'block'

export interface Opinion {
  person: string
  name: string
  how: How
}

/** Somebody at a table. */
export interface Somebody {
  name: string
  person?: string
}

interface Page {
  opinions: readonly Opinion[]
  next: number | null
  reports: boolean
}

/** An answer that is a refusal, with its sentence. */
export async function granted(answer: Response): Promise<Response> {
  if (answer.ok) return answer
  const { error } = (await answer.json().catch(() => ({}))) as { error?: string }
  throw new Error(sentence(error ?? answer.statusText))
}

class Opinions {
  all = $state.raw<readonly Opinion[]>([])
  /** Whether there is anybody who reads reports. */
  reports = $state(false)
  private loaded: Promise<void> | null = null

  /** Know them, once. */
  load(): Promise<void> {
    return (this.loaded ??= this.read().catch(() => void (this.loaded = null)))
  }

  async read(): Promise<void> {
    const all: Opinion[] = []
    for (let next: number | null = 0; next !== null; ) {
      const page = (await (await granted(await me.fetch(`/api/me/opinions?offset=${next}`))).json()) as Page
      all.push(...page.opinions)
      this.reports = page.reports
      next = page.next
    }
    this.all = all
  }

  /** What we think of a person, if anything. */
  of({ person }: Somebody): How | undefined {
    return person ? this.all.find((opinion) => opinion.person === person)?.how : undefined
  }

  /** Whether we do not want to hear somebody. */
  ignores(somebody: Somebody): boolean {
    return memory.ignores(somebody.name) || this.of(somebody) !== undefined
  }

  /** Null: nothing. */
  async think({ name, person }: Somebody, how: How | null): Promise<void> {
    if (person) {
      const init = how ? { method: 'PUT', body: JSON.stringify({ how, name }) } : { method: 'DELETE' }
      await granted(await me.fetch(`/api/me/opinions/${person}`, init))
      const others = this.all.filter((opinion) => opinion.person !== person)
      this.all = how ? [{ person, name, how }, ...others] : others
    }
    memory.ignore(name, how !== null) // What was said before stays on the page, and is not to be seen either.
  }
}

export const opinions = new Opinions()
