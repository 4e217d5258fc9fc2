/** A JSON object as it stands on disk: any field may be missing or of any type. */
export type RawObject = { readonly [field: string]: unknown }

export function isRawObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
