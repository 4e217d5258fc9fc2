/** Of a row, of a sum, of facets, and the search for what failed. */
const FIELDS = new Set(['live', 'outcome', 'verdict', 'unanswered', 'is', 'is:error'])

/**
 * Answers without what only those know who looked on: that a session was written just now, so that its last prompt may
 * yet be answered and has not failed.
 */
export function withoutLookingOn(answers: unknown): unknown {
  return JSON.parse(JSON.stringify(answers, (name, value) => (FIELDS.has(name) ? null : value)))
}
