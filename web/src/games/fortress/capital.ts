export const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
