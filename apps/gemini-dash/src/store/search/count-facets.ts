import type { SearchResult } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import type { IndexCounts } from '@gemini-dash/session-index'
import { localDayOf } from '../times/time-zone.ts'
import type { Parameter } from './parse-search.ts'
import type { SearchScope } from './search-scope.ts'

type Facet = SearchResult['facets']['project']

/** Hits by everything that they could be narrowed to; `foundWithout` is what there is without the filter on that very thing. */
export function countFacets(
  foundWithout: (parameter: Parameter) => IndexCounts,
  scope: SearchScope,
  zone: string,
): SearchResult['facets'] {
  const { fieldCounts } = foundWithout('in')
  return {
    project: byCount(
      countSessions(foundWithout('project'), scope, ({ project }) => [[project.key, project.name]]),
    ),
    field: Object.entries(fieldCounts).map(([value, count]) => ({ value, label: value, count })),
    model: byCount(
      countSessions(
        foundWithout('model'),
        scope,
        ({ models }) => models?.map(({ name }) => [name, name]) ?? [],
      ),
    ),
    tool: byCount(
      foundWithout('tool').toolCounts.map(([value, count]) => ({ value, label: toolLabel(value), count })),
    ),
    status: byCount(toFacet(foundWithout('status').statusCounts)),
    is: countStates(foundWithout('is'), scope),
    day: countDays(foundWithout('time'), zone),
  }
}

function countSessions(
  { sessionHits }: IndexCounts,
  { sessions }: SearchScope,
  valuesOf: (
    summary: NonNullable<ReturnType<SearchScope['sessions']['get']>>['summary'],
  ) => [string, string][],
): Facet {
  const counts = new Map<string, Facet[number]>()
  for (const [key, hits] of sessionHits) {
    const session = sessions.get(key)
    if (session === undefined) continue
    for (const [value, label] of valuesOf(session.summary)) {
      const known = counts.get(value)
      if (known === undefined) counts.set(value, { value, label, count: hits })
      else known.count += hits
    }
  }
  return [...counts.values()]
}

function toFacet(counts: [value: string, hits: number][]): Facet {
  return counts.map(([value, count]) => ({ value, label: value, count }))
}

function countStates(
  { stateCounts, unansweredHits, sessionHits }: IndexCounts,
  { sessions, isLive }: SearchScope,
): Facet {
  let live = 0
  let subagent = 0
  for (const [key, hits] of sessionHits) {
    const session = sessions.get(key)
    if (session === undefined) continue
    if (isLive(session)) live += hits
    if (session.summary.kind === 'subagent') subagent += hits
  }
  const unanswered = unansweredHits.reduce((sum, [key, hits]) => {
    const session = sessions.get(key)
    return session === undefined || isLive(session) ? sum : sum + hits
  }, 0)
  const counts = { error: stateCounts.error + unanswered, live, subagent, superseded: stateCounts.superseded }
  return toFacet(Object.entries(counts)).filter(({ count }) => count > 0)
}

function countDays({ quarterHourCounts }: IndexCounts, zone: string): Facet {
  const counts = new Map<string, number>()
  for (const [quarterHourMs, hits] of quarterHourCounts) {
    const day = localDayOf(quarterHourMs, zone)
    counts.set(day, (counts.get(day) ?? 0) + hits)
  }
  return toFacet([...counts]).sort((a, b) => (a.value < b.value ? 1 : -1))
}

function byCount(facet: Facet): Facet {
  return facet.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
}
