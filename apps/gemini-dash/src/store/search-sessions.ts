import { type SearchQuery, type SearchResult, searchFieldSchema } from '@gemini-dash/api'
import type { IndexSearchResult, TextSearchRequest } from '@gemini-dash/session-index'
import type { SessionSummary } from 'gemini-sessions'
import { localDay, ownZone, startOfTime } from './time-zone.ts'

export interface SearchScope {
  sessions: ReadonlyMap<string, SessionSummary>
  /** Keys of the projects that `project=` means; null is any. */
  projectKeys: ReadonlySet<string> | null
  coverage: SearchResult['coverage']
  isReady: boolean
}

/** The question to the index that a query means. */
export function toIndexRequest(query: SearchQuery, scope: SearchScope): TextSearchRequest {
  const zone = query.tz ?? ownZone()
  const time = (text: string | undefined) =>
    text === undefined ? null : new Date(startOfTime(text, zone)).toISOString()
  return {
    text: query.q,
    mode: query.mode,
    sort: query.sort,
    fields: readFields(query.in),
    sessionKeys: sessionFilter(query, scope),
    from: time(query.from),
    to: time(query.to),
    limit: query.limit,
    offset: readCursor(query.cursor),
  }
}

/** The answer as the page wants it: hits, the sessions they lie in, and counts to narrow them by. */
export function toSearchResult(
  query: SearchQuery,
  found: IndexSearchResult,
  scope: SearchScope,
): SearchResult {
  const hitsBySession = new Map(found.sessionHits)
  const onPage = new Set(found.hits.map(({ sessionKey }) => sessionKey))
  const sessions: SearchResult['sessions'] = {}
  for (const key of onPage) {
    const summary = scope.sessions.get(key)
    if (summary === undefined) continue
    const { title, project, startTime, models } = summary
    sessions[key] = { title, project, startTime, models, hits: hitsBySession.get(key) ?? 0 }
  }
  const end = readCursor(query.cursor) + found.hits.length
  return {
    total: found.total,
    messageTotal: found.messageTotal,
    sessionTotal: found.sessionTotal,
    // A session can be deleted between the search and its answer.
    hits: found.hits.filter(({ sessionKey }) => scope.sessions.has(sessionKey)),
    sessions,
    facets: facets(query, found, scope),
    coverage: scope.coverage,
    notes: scope.isReady
      ? found.notes
      : [...found.notes, 'The index is still being built: more may be found.'],
    nextCursor: end < found.total && found.hits.length > 0 ? String(end) : null,
  }
}

function readFields(text: string | undefined): TextSearchRequest['fields'] {
  if (text === undefined || text === '') return null
  const fields = text.split(',').flatMap((name) => searchFieldSchema.safeParse(name.trim()).data ?? [])
  return fields.length === 0 ? null : fields
}

function sessionFilter({ model }: SearchQuery, { sessions, projectKeys }: SearchScope): string[] | null {
  if (model === undefined && projectKeys === null) return null
  return [...sessions.values()]
    .filter(
      ({ project, models }) =>
        (projectKeys === null || projectKeys.has(project.key)) &&
        (model === undefined || models?.some(({ name }) => name === model) === true),
    )
    .map(({ key }) => key)
}

function readCursor(cursor: string | undefined): number {
  const offset = Number(cursor ?? 0)
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0
}

function facets(
  query: SearchQuery,
  found: IndexSearchResult,
  { sessions }: SearchScope,
): SearchResult['facets'] {
  const projects = new Map<string, { label: string; count: number }>()
  const models = new Map<string, { label: string; count: number }>()
  const days = new Map<string, { label: string; count: number }>()
  for (const [key, hits] of found.sessionHits) {
    const summary = sessions.get(key)
    if (summary === undefined) continue
    add(projects, summary.project.key, summary.project.name, hits)
    for (const { name } of summary.models ?? []) add(models, name, name, hits)
  }
  const zone = query.tz ?? ownZone()
  for (const [quarterHour, hits] of found.dayCounts) {
    const day = localDay(quarterHour, zone)
    add(days, day, day, hits)
  }
  const fields = Object.entries(found.fieldCounts).map(([value, count]) => ({ value, label: value, count }))
  return {
    project: byCount(projects),
    field: fields,
    model: byCount(models),
    day: byCount(days).sort((a, b) => (a.value < b.value ? 1 : -1)),
  }
}

function add(
  counts: Map<string, { label: string; count: number }>,
  value: string,
  label: string,
  hits: number,
): void {
  counts.set(value, { label, count: (counts.get(value)?.count ?? 0) + hits })
}

function byCount(counts: Map<string, { label: string; count: number }>): SearchResult['facets']['project'] {
  return [...counts]
    .map(([value, { label, count }]) => ({ value, label, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
}
