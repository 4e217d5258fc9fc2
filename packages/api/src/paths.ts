// Builders of every URL of the API, without zod, so that the page can import them at no cost.

import type { Question } from './questions.ts'
import type { SessionQuestion } from './session.ts'

type Query = Record<string, string | number | undefined>

/** On each answer: the number of the last change before it was asked for. */
export const CHANGE_POSITION_HEADER = 'gemini-dash-at'

/** A cursor that begins so leads to what a search that stopped has not searched; others to a further page of hits. */
export const SEARCH_ON = '0~'

/** Each address of the API that is no question of a table: what changes something, files, and the stream. */
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

/** Where a question is asked: its name is its address, with what the name wants put in. */
export function questionPath(question: Question, parameters: Query = {}): string {
  return filledIn(`/api/${question}`, parameters)
}

/** The same of a question about one session. */
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

/** Steps in which a page asks for the calls of a session: enough for a chart of 900 px. A long session has the answer at hand. */
export const CHART_STEPS = 600

/** A file that a browser sends to have it opened has so many bytes at most. */
export const MAX_SENT_BYTES = 64 * 1024 * 1024
