/** The head and the tail of a text that is longer than the limit (in UTF-16 units): three quarters and one. */
export function capText(text: string, limit: number): string[] {
  if (text.length <= limit) return [text]
  const headEnd = Math.floor((limit * 3) / 4)
  return [text.slice(0, headEnd), text.slice(text.length - (limit - headEnd))]
}
