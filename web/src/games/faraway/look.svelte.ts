import { Look } from '@croupier/table'
import type { Card } from './cards'

export const look = new Look<Card>()
export const { closer } = look
