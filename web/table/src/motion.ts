import { cubicOut } from 'svelte/easing'
import { prefersReducedMotion } from 'svelte/motion'
import { crossfade, fade } from 'svelte/transition'

/** How long something moves, in milliseconds: not at all for people who want things to stay where they are. */
export const duration = (usual: number): number => (prefersReducedMotion.current ? 0 : usual)

/** A card goes from where it lay to where it lies: the eye has to follow it. `out:send` and `in:receive` with the same key. */
export const [send, receive] = crossfade({
  duration: (distance) => duration(Math.min(520, 180 + distance * 0.7)),
  easing: cubicOut,
  fallback: (node) => fade(node, { duration: duration(160) }),
})
