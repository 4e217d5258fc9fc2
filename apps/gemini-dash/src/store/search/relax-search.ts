import type { Relaxation, SearchQuery } from '@gemini-dash/api'
import type { IndexCounts, WrittenFilter } from '@gemini-dash/session-index'
import { withoutFilter } from '@gemini-dash/session-index'
import type { Parameter } from './parse-search.ts'

/** More filters than anyone writes; each one costs a search. */
const MOST_FILTERS = 8

const PARAMETER_NAMES: Record<Parameter, string> = {
  project: 'project',
  model: 'model',
  in: 'said by',
  tool: 'tool',
  status: 'status',
  is: 'state',
  time: 'time',
}

/** The filters that could go so that something is found, the most helpful first. */
export async function relaxSearch(
  filters: WrittenFilter[],
  query: SearchQuery,
  foundWithout: ReadonlyMap<Parameter, IndexCounts>,
  countHits: (queries: string[]) => Promise<number[]>,
): Promise<Relaxation[]> {
  const beside = [...foundWithout].map(
    ([parameter, { total }]): Relaxation => ({
      label: PARAMETER_NAMES[parameter],
      q: query.q,
      parameter,
      total,
    }),
  )
  const relaxed = filters
    .slice(0, MOST_FILTERS)
    .map((filter) => ({ label: labelOf(filter), q: withoutFilter(query.q, filter) }))
    .filter(({ q }) => q !== '')
  const totals = await countHits(relaxed.map(({ q }) => q))
  const written = relaxed.map(
    ({ label, q }, place): Relaxation => ({ label, q, parameter: null, total: totals[place] ?? 0 }),
  )
  return [...written, ...beside].filter(({ total }) => total > 0).sort((a, b) => b.total - a.total)
}

function labelOf({ field, value, isNegated }: WrittenFilter): string {
  return field === 'text' ? `-${value}` : `${isNegated ? '-' : ''}${field}:${value}`
}
