/** All seats but that one in the order of play, from the one after it; for a spectator, all of them from the first. */
export function after(seat: number | null, seats: number): number[] {
  const first = seat === null ? 0 : seat + 1
  return Array.from({ length: seat === null ? seats : seats - 1 }, (_, i) => (first + i) % seats)
}
