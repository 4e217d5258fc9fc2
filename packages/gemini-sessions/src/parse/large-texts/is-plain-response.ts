import type { RawObject } from '../../raw/raw-object.ts'

/** A response of plain fields. One that is nested may be kept as one JSON text, and one with two texts as both in one. */
export function isPlainResponse(response: RawObject): boolean {
  if (typeof response.error === 'string' && typeof response.output === 'string') return false
  return Object.values(response).every((value) => typeof value !== 'object' || value === null)
}
