import { crossfade, fade } from 'svelte/transition'
import { prefersReducedMotion } from 'svelte/motion'
import { cubicOut } from 'svelte/easing'

/** A card goes from where it lay to where it lies: the eye has to follow it, since nothing else tells the cards apart. */
export const [send, receive] = crossfade({
  duration: (distance) => (prefersReducedMotion.current ? 0 : Math.min(520, 180 + distance * 0.7)),
  easing: cubicOut,
  fallback: (node) => fade(node, { duration: prefersReducedMotion.current ? 0 : 160 }),
})
