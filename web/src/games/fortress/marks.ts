/** How a place on the table is marked while there is something to choose. */
export interface Mark {
  /** Undefined: nothing can be done with it now. */
  choose?: () => void
  /** Something to begin with, where it may go, or what it is aimed at. */
  as?: 'source' | 'goal' | 'target'
  selected: boolean
  /** Others are to be looked at now. */
  dim: boolean
}

export const UNMARKED: Mark = { selected: false, dim: false }
