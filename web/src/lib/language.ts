import { storage, type Language } from '@croupier/table'

export function choose(other: Language): void {
  storage.write('language', other)
  location.reload()
}
