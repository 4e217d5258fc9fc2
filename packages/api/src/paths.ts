// Builders of every URL of the API, without zod, so that the page can import them at no cost.

type Query = Record<string, string | number | undefined>

/** On each answer: the number of the last change before it was asked for. */
export const CHANGE_POSITION_HEADER = 'gemini-dash-at'

export const apiPaths = {
  health: () => '/api/health',
  projects: () => '/api/projects',
  project: (key: string) => `/api/projects/${encodeURIComponent(key)}`,
  folderSearch: (key: string) => `/api/projects/${encodeURIComponent(key)}/folder-search`,
  sessions: (query: Query = {}) => withQuery('/api/sessions', query),
  session: (key: string) => `/api/sessions/${encodeURIComponent(key)}`,
  messages: (key: string, query: Query = {}) =>
    withQuery(`/api/sessions/${encodeURIComponent(key)}/messages`, query),
  sessionMap: (key: string) => `/api/sessions/${encodeURIComponent(key)}/map`,
  calls: (key: string, query: Query = {}) =>
    withQuery(`/api/sessions/${encodeURIComponent(key)}/calls`, query),
  transcript: (key: string, query: Query = {}) =>
    withQuery(`/api/sessions/${encodeURIComponent(key)}/transcript`, query),
  raw: (key: string, messageKey: string) =>
    `/api/sessions/${encodeURIComponent(key)}/messages/${encodeURIComponent(messageKey)}/raw`,
  cost: (key: string, messageKey: string) =>
    `/api/sessions/${encodeURIComponent(key)}/messages/${encodeURIComponent(messageKey)}/cost`,
  costReport: (key: string, query: Query = {}) =>
    withQuery(`/api/sessions/${encodeURIComponent(key)}/cost`, query),
  part: (key: string, messageKey: string, index: number) =>
    `/api/sessions/${encodeURIComponent(key)}/messages/${encodeURIComponent(messageKey)}/parts/${index}`,
  toolOutput: (key: string, callId: string) =>
    `/api/sessions/${encodeURIComponent(key)}/tool-calls/${encodeURIComponent(callId)}/output`,
  reasoning: (key: string) => `/api/sessions/${encodeURIComponent(key)}/reasoning`,
  whatIf: (key: string, query: Query = {}) =>
    withQuery(`/api/sessions/${encodeURIComponent(key)}/what-if`, query),
  waste: (key: string) => `/api/sessions/${encodeURIComponent(key)}/waste`,
  context: (key: string, query: Query = {}) =>
    withQuery(`/api/sessions/${encodeURIComponent(key)}/context`, query),
  neighbours: (key: string) => `/api/sessions/${encodeURIComponent(key)}/neighbours`,
  neighbourFile: (key: string, fileId: string, query: Query = {}) =>
    withQuery(`/api/sessions/${encodeURIComponent(key)}/neighbours/${encodeURIComponent(fileId)}`, query),
  sessionFiles: (key: string) => `/api/sessions/${encodeURIComponent(key)}/files`,
  fileChange: (key: string, path: string) =>
    withQuery(`/api/sessions/${encodeURIComponent(key)}/files/change`, { path }),
  fileHistory: (path: string, query: Query = {}) => withQuery('/api/files/history', { path, ...query }),
  timeline: (key: string, query: Query = {}) =>
    withQuery(`/api/sessions/${encodeURIComponent(key)}/timeline`, query),
  find: (key: string, q: string, query: Query = {}) =>
    withQuery(`/api/sessions/${encodeURIComponent(key)}/find`, { q, ...query }),
  search: (query: Query) => withQuery('/api/search', query),
  suggest: (q: string, at: number) => withQuery('/api/search/suggest', { q, at }),
  compare: (a: string, b: string) => withQuery('/api/compare', { a, b }),
  usage: (query: Query = {}) => withQuery('/api/usage', query),
  usageSum: (query: Query = {}) => withQuery('/api/usage/sum', query),
  budgets: (query: Query = {}) => withQuery('/api/budgets', query),
  /** `all`, or the key of a project. */
  budget: (scope: string, query: Query = {}) => withQuery(`/api/budgets/${encodeURIComponent(scope)}`, query),
  doctor: () => '/api/doctor',
  events: () => '/api/events',
} as const

function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}
