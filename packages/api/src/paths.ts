// Builders of every API URL, without zod, so that the page can import them cheaply.

import type { Question } from './questions.ts'
import type { SessionQuestion } from './session.ts'

type Query = Record<string, string | number | undefined>

/** Header of each answer: the number of the last change before the request. */
export const CHANGE_POSITION_HEADER = 'gemini-dash-at'

/** Prefix of a cursor that continues a search that stopped early; other cursors lead to the next page of hits. */
export const SEARCH_ON = '0~'

/** API paths that are not in a table of questions: changes, files, and the event stream. */
export const apiPaths = {
  project: (key: string) => `/api/projects/${encodeURIComponent(key)}`,
  foldersSearch: () => '/api/projects/folder-search',
  folderSearch: (key: string) => `/api/projects/${encodeURIComponent(key)}/folder-search`,
  exported: (key: string, query: Query = {}) =>
    withQuery(`/api/sessions/${encodeURIComponent(key)}/export`, query),
  exportedSeveral: (query: Query) => withQuery('/api/export', query),
  /** `all`, or the key of a project. */
  budget: (scope: string, query: Query = {}) => withQuery(`/api/budgets/${encodeURIComponent(scope)}`, query),
  mark: (key: string) => `/api/marks/${encodeURIComponent(key)}`,
  messageMark: (key: string, messageKey: string) =>
    `/api/marks/${encodeURIComponent(key)}/messages/${encodeURIComponent(messageKey)}`,
  marksFile: () => '/api/marks/file',
  forget: (key: string) => `/api/sessions/${encodeURIComponent(key)}/forget`,
  recover: (key: string, query: Query = {}) =>
    withQuery(`/api/sessions/${encodeURIComponent(key)}/recover`, query),
  fork: (key: string, query: Query) => withQuery(`/api/sessions/${encodeURIComponent(key)}/fork`, query),
  move: (key: string, query: Query = {}) => withQuery(`/api/sessions/${encodeURIComponent(key)}/move`, query),
  moveProject: (key: string, query: Query = {}) =>
    withQuery(`/api/projects/${encodeURIComponent(key)}/move`, query),
  keepNow: () => '/api/keep/now',
  cacheClear: () => '/api/cache/clear',
  sample: () => '/api/sample',
  openFile: (name: string, modified: number) =>
    `/api/open?name=${encodeURIComponent(name)}&modified=${modified}`,
  opened: () => '/api/open',
  events: () => '/api/events',
} as const

/** Path of a question: its name, with the parameters filled in. */
export function questionPath(question: Question, parameters: Query = {}): string {
  return filledIn(`/api/${question}`, parameters)
}

/** The same for a question about one session. */
export function sessionPath(question: SessionQuestion, key: string, parameters: Query = {}): string {
  return filledIn(`/api/sessions/:key/${question}`, { ...parameters, key })
}

function filledIn(pattern: string, parameters: Query): string {
  const rest = { ...parameters }
  const path = pattern.replace(/:(\w+)/g, (_all, name: string) => {
    delete rest[name]
    return encodeURIComponent(String(parameters[name] ?? ''))
  })
  return withQuery(path, rest)
}

function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}

/** Steps requested for a session's calls: enough for a chart 900 px wide. A long session has this answer prepared. */
export const CHART_STEPS = 600

/** Maximum size of a file that a browser sends to open it. */
export const MAX_SENT_BYTES = 64 * 1024 * 1024
