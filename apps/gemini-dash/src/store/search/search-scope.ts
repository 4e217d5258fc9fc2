import {
  type Relaxation,
  type SearchQuery,
  type SearchResult,
  type SuggestionList,
  type SuggestQuery,
  searchFieldSchema,
} from '@gemini-dash/api'
import { LONG_QUERY, withoutCutMark } from '@gemini-dash/api/cut-query'
import { formatCount, formatPlural } from '@gemini-dash/api/figures'
import { DATE_WORDS, readDate } from '@gemini-dash/api/read-date'
import { SOURCE_NAMES } from '@gemini-dash/api/source-names'
import { toolLabel } from '@gemini-dash/api/tool-label'
import {
  findCompletion,
  foldTextOnly,
  type IndexCounts,
  type ParsedQuery,
  parseQuery,
  QUERY_OPERATORS,
  type QueryTree,
  type TouchedPath,
  type WrittenFilter,
  withoutFilter,
  writeValue,
} from '@gemini-dash/session-index'
import { type Project, type SessionSummary, sessionProgramSchema } from 'gemini-sessions'
import type { KeyResolution } from '../sync/resolve-key.ts'
import type { LinkedSession } from '../sync/rows.ts'
import { ANY_TIME, localDay, localDayOf, ownZone, timeRange } from '../times.ts'

/** What the store knows at the time of a query. */
export interface SearchScope {
  sessions: ReadonlyMap<string, LinkedSession>
  projects: Project[]
  isLive: (session: LinkedSession) => boolean
  /** Notes of the session and of its messages. */
  notesOf: (session: LinkedSession) => string[]
  resolve: (keyOrId: string) => KeyResolution
  coverage: SearchResult['coverage']
  isReady: boolean
}

/** Only if more than one program recorded sessions is there a choice. */
function hasSeveralSources({ sessions }: Pick<SearchScope, 'sessions'>): boolean {
  let first: SessionSummary['source'] | null = null
  for (const { summary } of sessions.values()) {
    first ??= summary.source
    if (summary.source !== first) return true
  }
  return false
}

/** Keys of the sessions that satisfy a condition. */
export function sessionKeysWhere(
  { sessions }: Pick<SearchScope, 'sessions'>,
  holds: (summary: SessionSummary, session: LinkedSession) => boolean,
): string[] {
  return [...sessions.values()]
    .filter((session) => holds(session.summary, session))
    .map(({ summary }) => summary.key)
}

type Facet = SearchResult['facets']['project']

/** Number of hits for every value they could be narrowed to; `foundWithout` counts without the filter on the same parameter. */
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
    source: countSources(foundWithout('source'), scope),
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

/** Empty if a single program recorded all sessions, since there is nothing to choose. */
function countSources(found: IndexCounts, scope: SearchScope): Facet {
  const facet = countSessions(found, scope, ({ source }) => [[source, SOURCE_NAMES[source]]])
  return hasSeveralSources(scope) ? byCount(facet) : []
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

/** The input of any search: the search page, a search within one session, the command line. */
export type AskedSearch = Pick<SearchQuery, 'q' | 'mode' | 'tz' | 'from' | 'to'> &
  Pick<SearchQuery, 'project' | 'model' | 'in' | 'tool' | 'status' | 'is' | 'source'>

/** The filters beside the query, by subject. */
export type Parameter = 'project' | 'model' | 'in' | 'tool' | 'status' | 'is' | 'source' | 'time'

/** A parsed search: times are instants, names are still as the user typed them. */
export interface ParsedSearch {
  mode: SearchQuery['mode']
  zone: string
  written: ParsedQuery
  beside: ReadonlyMap<Parameter, QueryTree>
}

/** Parses a query and the filters beside it. `nowMs` is the reference for `today` and `7d`. */
export function parseSearch(asked: AskedSearch, nowMs: number): ParsedSearch {
  const { q, mode, tz: zone = ownZone() } = asked
  const beside: [Parameter, QueryTree | null][] = [
    // A name may itself contain a comma.
    ['project', oneOf((asked.project ?? '') === '' ? [] : [{ kind: 'project', name: asked.project ?? '' }])],
    ['model', oneOf(valuesOf(asked.model).map((pattern) => ({ kind: 'model', pattern })))],
    ['in', fieldTree(asked.in)],
    ['tool', oneOf(valuesOf(asked.tool).map((pattern) => ({ kind: 'tool', pattern })))],
    ['status', oneOf(valuesOf(asked.status).map((status) => ({ kind: 'status', status })))],
    ['is', stateTree(asked.is)],
    ['source', sourceTree(asked.source)],
    ['time', timeTree(asked, zone, nowMs)],
  ]
  return {
    mode,
    zone,
    written:
      q.length > LONG_QUERY ? readLongText(q, { mode, zone, nowMs }) : parseQuery(q, { mode, zone, nowMs }),
    beside: new Map(beside.flatMap(([name, tree]) => (tree === null ? [] : [[name, tree] as const]))),
  }
}

/** Nobody types a query this long: it contains no filters, and its words are searched for. */
function readLongText(q: string, context: Parameters<typeof parseQuery>[1]): ParsedQuery {
  const rest = withoutCutMark(q)
  const text = rest ?? q
  const words = text.replace(/[^\p{L}\p{M}\p{N}_]+/gu, ' ').toLowerCase()
  const { tree, notes } = parseQuery(context.mode === 'words' ? words : '', context)
  const cut =
    rest === null ? [] : [`Only its first ${formatCount(text.length)} characters were searched for.`]
  return { tree, filters: [], text, notes: context.mode === 'words' ? [...cut, ...notes] : cut }
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

function sourceTree(text: string | undefined): QueryTree | null {
  return oneOf(
    valuesOf(text).flatMap((name): QueryTree[] => {
      const program = sessionProgramSchema.safeParse(name)
      return program.success ? [{ kind: 'source', program: program.data }] : []
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

/** More filters than anyone types; each one costs a search. */
const MOST_FILTERS = 8

const PARAMETER_NAMES: Record<Parameter, string> = {
  project: 'project',
  model: 'model',
  in: 'said by',
  tool: 'tool',
  status: 'status',
  source: 'program',
  is: 'state',
  time: 'time',
}

/** The filters whose removal would give results, most helpful first. */
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

/** Touched paths in the form used after `file:`, most touched first: relative to the root of their project, unless more was typed. */
export function knownPaths(
  touched: readonly TouchedPath[],
  typed: string,
  projectPaths: readonly string[],
): KnownValue[] {
  const roots = projectPaths.map((path) => path.replace(/\/*$/, '/')).sort((a, b) => b.length - a.length)
  const text = foldTextOnly(typed)
  const messages = new Map<string, number>()
  for (const { path, messages: count } of touched) {
    // The root itself is not a file.
    if (path === '.' || path === './' || roots.includes(path.replace(/\/*$/, '/'))) continue
    const root = roots.find((known) => path.startsWith(known)) ?? (path.startsWith('./') ? './' : '')
    const rest = path.slice(root.length)
    const value = foldTextOnly(rest).includes(text) ? rest : path
    messages.set(value, (messages.get(value) ?? 0) + count)
  }
  return [...messages]
    .sort(([a, most], [b, other]) => other - most || (a < b ? -1 : 1))
    .map(([value, count]) => ({
      value,
      hint: formatPlural(count, 'message'),
    }))
}

/** A possible value of a filter, with information for the user. */
interface KnownValue {
  value: string
  hint: string
}

interface Context {
  scope: SearchScope
  zone: string
  nowMs: number
}

/** The existing values of a filter, most common or newest first. */
function knownValues(field: string, context: Context): KnownValue[] {
  const { scope } = context
  switch (field) {
    case 'project':
      return scope.projects.map(({ name, path }) => ({ value: name, hint: path ?? '' }))
    case 'model':
      return counted(scope, ({ summary }) => summary.models?.map(({ name }) => [name, 1]) ?? [], 'session')
    case 'tool':
      return counted(scope, ({ record }) => record.tools.map(({ name, calls }) => [name, calls]), 'call').map(
        ({ value, hint }) => ({
          value,
          hint: [toolLabel(value), hint].filter((text) => text !== value).join(', '),
        }),
      )
    case 'tag':
      return counted(scope, ({ summary }) => summary.mark?.tags.map((tag) => [tag, 1]) ?? [], 'session')
    case 'session':
      return sessions(scope)
    case 'after':
    case 'before':
      return dates(context)
    case 'tokens':
      return ['>10k', '>50k', '>200k', '>1m'].map((value) => ({ value, hint: '' }))
    case 'cost':
      return ['>0.01', '>0.10', '>1'].map((value) => ({ value, hint: 'US dollars' }))
    default: {
      const name = field === 'type' ? 'in' : field
      const values = QUERY_OPERATORS.find((operator) => operator.name === name)?.values ?? []
      return values.map((value) => ({ value, hint: '' }))
    }
  }
}

function counted(
  { sessions: all }: SearchScope,
  valuesOf: (session: NonNullable<ReturnType<SearchScope['sessions']['get']>>) => [string, number][],
  noun: string,
): KnownValue[] {
  const counts = new Map<string, number>()
  for (const session of all.values()) {
    for (const [value, count] of valuesOf(session)) counts.set(value, (counts.get(value) ?? 0) + count)
  }
  return [...counts]
    .sort(([a, most], [b, other]) => other - most || (a < b ? -1 : 1))
    .map(([value, count]) => ({
      value,
      hint: formatPlural(count, noun),
    }))
}

/** Usually enough of an id to be unique. */
const SHORT_ID = 8

function sessions({ sessions: all, resolve }: SearchScope): KnownValue[] {
  const newest = [...all.values()]
    .map(({ summary }) => summary)
    .sort((a, b) => (lastTime(a) < lastTime(b) ? 1 : -1))
  return newest.map(({ sessionId, title }) => {
    const short = sessionId.slice(0, SHORT_ID)
    return { value: resolve(short).kind === 'one' ? short : sessionId, hint: title }
  })
}

function lastTime({ endTime, startTime }: SessionSummary): string {
  return endTime ?? startTime ?? ''
}

function dates({ zone, nowMs }: Context): KnownValue[] {
  return DATE_WORDS.map((value) => {
    const timeMs = readDate(value, { zone, nowMs })
    return { value, hint: timeMs === null ? '' : localDay(new Date(timeMs).toISOString(), zone) }
  })
}

type Suggestion = SuggestionList['items'][number]

const MOST_SUGGESTIONS = 12
/** Per kind, if the kind is not given. */
const MOST_OF_A_KIND = 3
/** Kinds whose values are suggested for a plain word. */
const GUESSED_FIELDS = ['project', 'model', 'tool']

/** Completions of the word or value at the caret: names of filters, and existing values. */
export async function suggestSearch(
  { q, at = q.length, tz }: SuggestQuery,
  scope: SearchScope,
  touchedPaths: (typed: string) => Promise<TouchedPath[]>,
  nowMs: number,
): Promise<SuggestionList> {
  const completion = findCompletion(q, Math.min(at, q.length))
  if (completion === null) return { start: at, end: at, items: [] }
  const { field, typed, start, end } = completion
  const context = { scope, zone: tz ?? ownZone(), nowMs }
  const isLast = end === q.length
  const toSuggestion = (prefix: string, { value, hint }: KnownValue): Suggestion => ({
    text: `${prefix}${writeValue(value)}${isLast ? ' ' : ''}`,
    label: `${prefix}${value}`,
    hint,
  })
  const paths = async (): Promise<KnownValue[]> => {
    const path = typed.replaceAll('\\', '/')
    const roots = scope.projects.flatMap((project) => project.path ?? [])
    return matching(knownPaths(await touchedPaths(path), path, roots), path, MOST_SUGGESTIONS)
  }
  if (field !== null) {
    const items =
      field === 'file' ? await paths() : matching(knownValues(field, context), typed, MOST_SUGGESTIONS)
    return { start, end, items: items.map((value) => toSuggestion('', value)) }
  }
  const isOffered = (name: string) => name !== 'source' || hasSeveralSources(scope)
  const operators = QUERY_OPERATORS.filter(
    ({ name }) => name.startsWith(typed.toLowerCase()) && isOffered(name),
  )
  const guesses = GUESSED_FIELDS.flatMap((name) =>
    typed.length < 2
      ? []
      : matching(knownValues(name, context), typed, MOST_OF_A_KIND).map((value) =>
          toSuggestion(`${name}:`, value),
        ),
  )
  const items = [
    ...operators.map(({ name, hint }) => ({ text: `${name}:`, label: `${name}:`, hint })),
    ...guesses,
  ]
  return { start, end, items: items.slice(0, MOST_SUGGESTIONS) }
}

/** Values that begin with the typed text come before those that only contain it. */
function matching(values: KnownValue[], typed: string, most: number): KnownValue[] {
  const text = foldTextOnly(typed)
  const begins = ({ value }: KnownValue) => foldTextOnly(value).startsWith(text)
  const holds = ({ value, hint }: KnownValue) =>
    foldTextOnly(value).includes(text) || foldTextOnly(hint).includes(text)
  const first = values.filter(begins)
  const others = text === '' ? [] : values.filter((value) => !begins(value) && holds(value))
  return [...first, ...others].slice(0, most)
}
