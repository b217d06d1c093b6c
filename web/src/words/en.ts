/** What the frame says, in English. The other languages have the same entries; the compiler sees to it. */
export const en = {
  connecting: 'Connecting…',
}
