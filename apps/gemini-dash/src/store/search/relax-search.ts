import type { Relaxation, SearchQuery } from '@gemini-dash/api'
import type { IndexSearchResult, WrittenFilter } from '@gemini-dash/session-index'
import { withoutFilter } from '@gemini-dash/session-index'
import type { Parameter } from './parameter-trees.ts'

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
  foundWithout: ReadonlyMap<Parameter, IndexSearchResult>,
  countHits: (q: string) => Promise<number>,
): Promise<Relaxation[]> {
  const beside = [...foundWithout].map(
    ([parameter, { total }]): Relaxation => ({
      label: PARAMETER_NAMES[parameter],
      q: query.q,
      parameter,
      total,
    }),
  )
  const written = await Promise.all(
    filters.slice(0, MOST_FILTERS).map(async (filter): Promise<Relaxation> => {
      const q = withoutFilter(query.q, filter)
      const sign = filter.isNegated ? '-' : ''
      const label = filter.field === 'text' ? `-${filter.value}` : `${sign}${filter.field}:${filter.value}`
      return { label, q, parameter: null, total: q === '' ? 0 : await countHits(q) }
    }),
  )
  return [...written, ...beside].filter(({ total }) => total > 0).sort((a, b) => b.total - a.total)
}
