/** A masked output is saved as the JSON that the tool answered (0.29+); its text is what people want to read. */
export function savedOutputText(stored: string): string {
  if (!stored.startsWith('{')) return stored
  try {
    const response: unknown = JSON.parse(stored)
    const texts = typeof response === 'object' && response !== null ? Object.values(response) : []
    const [only, ...others] = texts
    return typeof only === 'string' && others.length === 0 ? only : stored
  } catch {
    return stored
  }
}
