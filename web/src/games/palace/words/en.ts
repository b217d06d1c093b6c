export const en = {
  over: 'The game is over',
  out: (place: number) => `You are out: ${ordinal(place)} place!`,
}

function ordinal(place: number): string {
  const teens = place % 100 > 10 && place % 100 < 14
  return `${place}${teens ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')}`
}
