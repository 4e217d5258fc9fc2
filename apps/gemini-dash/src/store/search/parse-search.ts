import { type SearchQuery, searchFieldSchema } from '@gemini-dash/api'
import { type ParsedQuery, parseQuery, type QueryTree } from '@gemini-dash/session-index'
import { ANY_TIME, timeRange } from '../times/time-range.ts'
import { ownZone } from '../times/time-zone.ts'

/** What a person looks for, whoever asks: a search, a look into one session, the command line. */
export type AskedSearch = Pick<SearchQuery, 'q' | 'mode' | 'tz' | 'from' | 'to'> &
  Pick<SearchQuery, 'project' | 'model' | 'in' | 'tool' | 'status' | 'is'>

/** The filters that stand beside the query, by the thing that they are about. */
export type Parameter = 'project' | 'model' | 'in' | 'tool' | 'status' | 'is' | 'time'

/** What was asked, read: times are instants, and names are still as a person calls things. */
export interface ParsedSearch {
  mode: SearchQuery['mode']
  zone: string
  written: ParsedQuery
  beside: ReadonlyMap<Parameter, QueryTree>
}

/** Reads a query and the filters beside it. `nowMs` is what `today` and `7d` go by. */
export function parseSearch(asked: AskedSearch, nowMs: number): ParsedSearch {
  const { q, mode, tz: zone = ownZone() } = asked
  const beside: [Parameter, QueryTree | null][] = [
    // A name may itself hold a comma.
    ['project', oneOf((asked.project ?? '') === '' ? [] : [{ kind: 'project', name: asked.project ?? '' }])],
    ['model', oneOf(valuesOf(asked.model).map((pattern) => ({ kind: 'model', pattern })))],
    ['in', fieldTree(asked.in)],
    ['tool', oneOf(valuesOf(asked.tool).map((pattern) => ({ kind: 'tool', pattern })))],
    ['status', oneOf(valuesOf(asked.status).map((status) => ({ kind: 'status', status })))],
    ['is', stateTree(asked.is)],
    ['time', timeTree(asked, zone, nowMs)],
  ]
  return {
    mode,
    zone,
    written: parseQuery(q, { mode, zone, nowMs }),
    beside: new Map(beside.flatMap(([name, tree]) => (tree === null ? [] : [[name, tree] as const]))),
  }
}

function valuesOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
}

function oneOf(trees: QueryTree[]): QueryTree | null {
  const [only] = trees
  if (only === undefined) return null
  return trees.length === 1 ? only : { kind: 'or', of: trees }
}

function fieldTree(text: string | undefined): QueryTree | null {
  const fields = valuesOf(text).flatMap((name) => searchFieldSchema.safeParse(name).data ?? [])
  return fields.length === 0 ? null : { kind: 'in', fields }
}

const STATES = ['error', 'live', 'starred', 'subagent', 'superseded'] as const

function stateTree(text: string | undefined): QueryTree | null {
  return oneOf(
    valuesOf(text).flatMap((what): QueryTree[] => {
      const state = STATES.find((name) => name === what)
      return state === undefined ? [] : [{ kind: 'is', what: state }]
    }),
  )
}

function timeTree(asked: AskedSearch, zone: string, nowMs: number): QueryTree | null {
  const { fromMs, toMs } = timeRange(asked, zone, nowMs)
  const bounds: QueryTree[] = []
  if (fromMs !== ANY_TIME.fromMs) bounds.push({ kind: 'after', timeMs: fromMs })
  if (toMs !== ANY_TIME.toMs) bounds.push({ kind: 'before', timeMs: toMs })
  return bounds.length === 0 ? null : { kind: 'and', of: bounds }
}
