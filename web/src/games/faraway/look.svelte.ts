import { Look } from '../../lib/look.svelte'
import type { Card } from './cards'

export const look = new Look<Card>()
export const { closer } = look
