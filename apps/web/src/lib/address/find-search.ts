import { choiceParam, choicesParam, dayParam, type RawSearch, textParam } from './search-params.ts'

const SEARCH_FIELDS = [
  'title',
  'prompt',
  'answer',
  'thought',
  'tool-args',
  'tool-output',
  'notice',
  'attachment',
] as const

const SEARCH_STATES = ['error', 'live', 'subagent', 'superseded'] as const

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
}

export const SEARCH_RANGES = ['today', '7d', '30d'] as const
export type SearchRange = (typeof SEARCH_RANGES)[number]

export function readFindSearch(search: RawSearch): FindSearch {
  return {
    q: textParam(search, 'q'),
    mode: choiceParam(search, 'mode', ['substring', 'regex']),
    sort: choiceParam(search, 'sort', ['relevance']),
    project: textParam(search, 'project'),
    model: textParam(search, 'model'),
    in: choicesParam(search, 'in', SEARCH_FIELDS)?.join(','),
    tool: textParam(search, 'tool'),
    status: textParam(search, 'status'),
    is: choicesParam(search, 'is', SEARCH_STATES)?.join(','),
    day: dayParam(search, 'day'),
    range: choiceParam(search, 'range', SEARCH_RANGES),
    from: dayParam(search, 'from'),
    to: dayParam(search, 'to'),
  }
}

/** Takes off whatever says when. */
export const NO_TIME = { day: undefined, range: undefined, from: undefined, to: undefined } as const

/** The part of a query that finds the calls of a tool. */
export function toolFilter(tool: string): string {
  return /^[\w.:/-]+$/.test(tool) ? `tool:${tool}` : `tool:"${tool.replaceAll('"', '')}"`
}
