/** A field of a row that says something. */
export function isFilled(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null
}
