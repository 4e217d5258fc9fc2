// Builders of every URL of the API, without zod, so that the page can import them at no cost.

import type { SessionQuestion } from './session/questions.ts'

type Query = Record<string, string | number | undefined>

/** On each answer: the number of the last change before it was asked for. */
export const CHANGE_POSITION_HEADER = 'gemini-dash-at'

/** A cursor that begins so leads to what a search that stopped has not searched; others to a further page of hits. */
export const SEARCH_ON = '0~'

/** Each address of the API, by what it answers. */
export const apiPaths = {
  health: () => '/api/health',
  projects: () => '/api/projects',
  project: (key: string) => `/api/projects/${encodeURIComponent(key)}`,
  foldersSearch: () => '/api/projects/folder-search',
  folderSearch: (key: string) => `/api/projects/${encodeURIComponent(key)}/folder-search`,
  sessions: (query: Query = {}) => withQuery('/api/sessions', query),
  session: (key: string, query: Query = {}) => withQuery(`/api/sessions/${encodeURIComponent(key)}`, query),
  resume: (key: string, query: Query = {}) =>
    withQuery(`/api/sessions/${encodeURIComponent(key)}/resume`, query),
  messages: (key: string, query: Query = {}) => sessionPath('messages', key, query),
  sessionMap: (key: string) => sessionPath('map', key),
  calls: (key: string, query: Query = {}) => sessionPath('calls', key, query),
  transcript: (key: string, query: Query = {}) => sessionPath('transcript', key, query),
  raw: (key: string, messageKey: string) => sessionPath('messages/:messageKey/raw', key, { messageKey }),
  cost: (key: string, messageKey: string) => sessionPath('messages/:messageKey/cost', key, { messageKey }),
  costReport: (key: string, query: Query = {}) => sessionPath('cost', key, query),
  part: (key: string, messageKey: string, index: number) =>
    sessionPath('messages/:messageKey/parts/:index', key, { messageKey, index }),
  toolOutput: (key: string, callId: string) => sessionPath('tool-calls/:callId/output', key, { callId }),
  reasoning: (key: string) => sessionPath('reasoning', key),
  whatIf: (key: string, query: Query = {}) => sessionPath('what-if', key, query),
  waste: (key: string) => sessionPath('waste', key),
  context: (key: string, query: Query = {}) => sessionPath('context', key, query),
  neighbours: (key: string) => sessionPath('neighbours', key),
  neighbourFile: (key: string, fileId: string, query: Query = {}) =>
    sessionPath('neighbours/:fileId', key, { fileId, ...query }),
  sessionFiles: (key: string) => sessionPath('files', key),
  fileChange: (key: string, path: string) => sessionPath('files/change', key, { path }),
  fileHistory: (path: string, query: Query = {}) => withQuery('/api/files/history', { path, ...query }),
  timeline: (key: string, query: Query = {}) => sessionPath('timeline', key, query),
  exported: (key: string, query: Query = {}) =>
    withQuery(`/api/sessions/${encodeURIComponent(key)}/export`, query),
  exportedSeveral: (query: Query) => withQuery('/api/export', query),
  leavingSessions: (query: Query) => withQuery('/api/export/sessions', query),
  exportReview: (key: string, query: Query = {}) =>
    withQuery(`/api/sessions/${encodeURIComponent(key)}/export/review`, query),
  find: (key: string, q: string, query: Query = {}) => sessionPath('find', key, { q, ...query }),
  search: (query: Query) => withQuery('/api/search', query),
  suggest: (q: string, query: Query) => withQuery('/api/search/suggest', { q, ...query }),
  compare: (a: string, b: string) => withQuery('/api/compare', { a, b }),
  usage: (query: Query = {}) => withQuery('/api/usage', query),
  usageSum: (query: Query = {}) => withQuery('/api/usage/sum', query),
  usageWhy: (query: Query = {}) => withQuery('/api/usage/why', query),
  budgets: (query: Query = {}) => withQuery('/api/budgets', query),
  /** `all`, or the key of a project. */
  budget: (scope: string, query: Query = {}) => withQuery(`/api/budgets/${encodeURIComponent(scope)}`, query),
  doctor: () => '/api/doctor',
  doctorNotes: () => '/api/doctor/notes',
  marks: (query: Query = {}) => withQuery('/api/marks', query),
  mark: (key: string) => `/api/marks/${encodeURIComponent(key)}`,
  messageMark: (key: string, messageKey: string) =>
    `/api/marks/${encodeURIComponent(key)}/messages/${encodeURIComponent(messageKey)}`,
  marksFile: () => '/api/marks/file',
  views: () => '/api/views',
  forget: (key: string) => `/api/sessions/${encodeURIComponent(key)}/forget`,
  recover: (key: string, query: Query = {}) =>
    withQuery(`/api/sessions/${encodeURIComponent(key)}/recover`, query),
  move: (key: string, query: Query = {}) => withQuery(`/api/sessions/${encodeURIComponent(key)}/move`, query),
  moveProject: (key: string, query: Query = {}) =>
    withQuery(`/api/projects/${encodeURIComponent(key)}/move`, query),
  journal: () => '/api/journal',
  keep: () => '/api/keep',
  keepNow: () => '/api/keep/now',
  settings: () => '/api/settings',
  cacheClear: () => '/api/cache/clear',
  sample: () => '/api/sample',
  report: () => '/api/report',
  events: () => '/api/events',
} as const

/** Where a question about one session is asked: its name is its address, with what the name wants put in. */
export function sessionPath(question: SessionQuestion, key: string, parameters: Query = {}): string {
  const rest = { ...parameters }
  const address = question.replace(/:(\w+)/g, (_all, name: string) => {
    delete rest[name]
    return encodeURIComponent(String(parameters[name] ?? ''))
  })
  return withQuery(`/api/sessions/${encodeURIComponent(key)}/${address}`, rest)
}

function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}
