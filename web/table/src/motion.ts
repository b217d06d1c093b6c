import { prefersReducedMotion } from 'svelte/motion'

/** How long something moves, in milliseconds: not at all for people who want things to stay where they are. */
export const duration = (usual: number): number => (prefersReducedMotion.current ? 0 : usual)
