import type { ExaminedSession } from './examined-session.ts'

/** Something in its files could not be read, but none of them is damaged as a whole. */
export function isPartlyRead({ summary, record }: ExaminedSession): boolean {
  return record.issues.length > 0 && !summary.files.some(({ role }) => role === 'damaged')
}
