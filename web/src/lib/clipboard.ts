import { t } from '../words'
import { house } from './house.svelte'

/** Copy a link, and say so; without https browsers keep the clipboard to themselves. Whether it was copied. */
export async function copy(address: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(address)
    house.tell(t.invite.copied)
    return true
  } catch {
    return false
  }
}
