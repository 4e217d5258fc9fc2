/** A large value would be slow to draw at once; its deeper levels stay closed. */
const OPEN_LEVELS = 2
const SMALL_LENGTH = 2_000
/** On a line of a narrow window. */
const LETTERS = 60

/** Down to which level a value is open when it is drawn. */
export function openLevels(value: unknown): number {
  return (JSON.stringify(value) ?? '').length <= SMALL_LENGTH ? Number.POSITIVE_INFINITY : OPEN_LEVELS
}

/** On about how many lines the tree of a value stands, down to that level. */
export function linesOfJson(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 1 + Math.floor(String(value).length / LETTERS)
  const parts = levels > 0 ? Object.values(value) : []
  return parts.reduce((sum: number, part) => sum + linesOfJson(part, levels - 1), parts.length > 0 ? 2 : 1)
}
