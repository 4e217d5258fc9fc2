import type { SearchField } from '@gemini-dash/api'
import type { IndexSearchRequest } from '../index-search.ts'
import { SEARCH_FIELDS } from './schema.ts'

/** Which texts a request looks at, whatever it looks for. */
export interface HitFilter {
  fields: readonly SearchField[]
  hasSession(sessionKey: string): boolean
  hasTime(timeMs: number): boolean
}

export function hitFilter(request: IndexSearchRequest): HitFilter {
  const keys = request.sessionKeys === null ? null : new Set(request.sessionKeys)
  const fromMs = request.from === null ? Number.NEGATIVE_INFINITY : Date.parse(request.from)
  const toMs = request.to === null ? Number.POSITIVE_INFINITY : Date.parse(request.to)
  return {
    fields: SEARCH_FIELDS.filter((field) => request.fields === null || request.fields.includes(field)),
    hasSession: (sessionKey) => keys === null || keys.has(sessionKey),
    hasTime: (timeMs) => timeMs >= fromMs && timeMs < toMs,
  }
}
