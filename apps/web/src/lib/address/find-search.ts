import {
  choiceParam,
  choicesParam,
  dayParam,
  pagesParam,
  type RawSearch,
  textParam,
} from './search-params.ts'

/** Whose words are found, as facets, chips and hits call them. */
export const SEARCH_FIELD_LABELS = {
  title: 'Title',
  prompt: 'You',
  answer: 'Gemini',
  thought: 'Thought',
  'tool-args': 'Tool input',
  'tool-output': 'Tool output',
  notice: 'Notice',
  attachment: 'Attached file',
} as const
export const SEARCHED_FIELDS = Object.keys(SEARCH_FIELD_LABELS) as (keyof typeof SEARCH_FIELD_LABELS)[]

export const SEARCH_STATE_LABELS = {
  error: 'Failed or unanswered',
  live: 'Live session',
  subagent: 'Sub-agent',
  superseded: 'Taken back or replaced',
} as const
export const SEARCH_STATES = Object.keys(SEARCH_STATE_LABELS) as (keyof typeof SEARCH_STATE_LABELS)[]

export const SEARCH_MODE_LABELS = { '': 'Words', substring: 'Exact text', regex: 'Pattern' } as const
export const SEARCH_ORDER_LABELS = { '': 'Newest', relevance: 'Relevance' } as const

/** The filters beside the query that take several values. */
export type SearchFilterName = 'project' | 'model' | 'in' | 'tool' | 'status' | 'is'

/** What the search page asks for. */
export type FindSearch = {
  q?: string
  mode?: 'substring' | 'regex'
  sort?: 'relevance'
  // Several values stand behind each other, parted by commas.
  project?: string
  model?: string
  in?: string
  tool?: string
  status?: string
  is?: string
  /** `YYYY-MM-DD`: one day, or from one on; `to` is the first that does not count. */
  day?: string
  range?: SearchRange
  from?: string
  to?: string
  /** How many pages of hits are shown, where it is more than one. */
  pages?: number
}

export const SEARCH_RANGES = ['today', '7d', '30d'] as const
export type SearchRange = (typeof SEARCH_RANGES)[number]

export const SEARCH_TIME_LABELS: Record<SearchRange | '', string> = {
  '': 'Any time',
  today: 'Today',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
}

export function readFindSearch(search: RawSearch): FindSearch {
  return {
    q: textParam(search, 'q'),
    mode: choiceParam(search, 'mode', ['substring', 'regex']),
    sort: choiceParam(search, 'sort', ['relevance']),
    project: textParam(search, 'project'),
    model: textParam(search, 'model'),
    in: choicesParam(search, 'in', SEARCHED_FIELDS)?.join(','),
    tool: textParam(search, 'tool'),
    status: textParam(search, 'status'),
    is: choicesParam(search, 'is', SEARCH_STATES)?.join(','),
    day: dayParam(search, 'day'),
    range: choiceParam(search, 'range', SEARCH_RANGES),
    from: dayParam(search, 'from'),
    to: dayParam(search, 'to'),
    pages: pagesParam(search),
  }
}

/** What a search is from now on, or how that follows from what it is: another change may be on its way. */
export type FindChange = Partial<FindSearch> | ((before: FindSearch) => Partial<FindSearch>)

/** Takes off whatever says when. */
export const NO_TIME = { day: undefined, range: undefined, from: undefined, to: undefined } as const

/** Takes off all that narrows a search beside its query. */
export const NO_FACET = {
  ...NO_TIME,
  in: undefined,
  project: undefined,
  model: undefined,
  tool: undefined,
  status: undefined,
  is: undefined,
} as const satisfies Partial<FindSearch>

/** One value more or less of those that stand behind each other, parted by commas. */
export function withValue(values: string | undefined, value: string, isWanted: boolean): string | undefined {
  const others = (values?.split(',') ?? []).filter((other) => other !== value)
  const next = isWanted ? [...others, value] : others
  return next.length > 0 ? next.join(',') : undefined
}

/** The part of a query that finds the calls of a tool. */
export function toolFilter(tool: string): string {
  return /^[\w.:/-]+$/.test(tool) ? `tool:${tool}` : `tool:"${tool.replaceAll('"', '')}"`
}
