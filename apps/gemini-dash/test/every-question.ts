import { apiPaths, questionPath, sessionPath } from '@gemini-dash/api'
import { listedRoutes, methodsOf } from '../src/server/contract.ts'

/** Values to use in requests. */
export interface Askable {
  key: string
  messageKeys: readonly string[]
  callIds: readonly string[]
  /** A word that occurs in the session. */
  word: string
}

const MODES = ['words', 'substring', 'regex']

const ofMessages = (path: (key: string, messageKey: string) => string) => (asked: Askable) =>
  asked.messageKeys.map((messageKey) => path(asked.key, messageKey))

/** For each read-only route of the API: the addresses to request. null: its answer is not about a session. */
const QUESTIONS: Readonly<Record<string, ((asked: Askable) => string[]) | null>> = {
  '/api/*': null,
  '/api/events': null,
  '/api/sessions/:key/neighbours/:fileId': null,
  '/api/health': () => [questionPath('health')],
  '/api/projects': () => [questionPath('projects')],
  '/api/sessions': () => [questionPath('sessions'), questionPath('sessions', { kind: 'all', q: 'a' })],
  '/api/sessions/:key': ({ key }) => [
    questionPath('sessions/:key', { key }),
    questionPath('sessions/:key', { key, outline: 'columns' }),
  ],
  '/api/sessions/:key/resume': ({ key }) => [
    questionPath('sessions/:key/resume', { key }),
    questionPath('sessions/:key/resume', { key, shell: 'powershell' }),
  ],
  '/api/sessions/:key/map': ({ key }) => [sessionPath('map', key)],
  '/api/sessions/:key/calls': ({ key }) => [
    sessionPath('calls', key),
    sessionPath('calls', key, { steps: 2 }),
  ],
  '/api/sessions/:key/cost': ({ key }) => [sessionPath('cost', key)],
  '/api/sessions/:key/messages': ({ key }) => [
    sessionPath('messages', key),
    sessionPath('messages', key, { limit: 1, offset: 1 }),
  ],
  '/api/sessions/:key/export': ({ key }) =>
    ['markdown', 'json', 'jsonl', 'vac', 'raw'].map((format) => apiPaths.exported(key, { format })),
  '/api/export': ({ key }) => [apiPaths.exportedSeveral({ keys: key, format: 'jsonl' })],
  '/api/export/sessions': ({ key }) => [questionPath('export/sessions', { keys: key })],
  '/api/sessions/:key/export/review': ({ key }) => [questionPath('sessions/:key/export/review', { key })],
  '/api/sessions/:key/transcript': ({ key, messageKeys }) => [
    sessionPath('transcript', key),
    ...messageKeys.map((message) => sessionPath('transcript', key, { message, as: 'text' })),
  ],
  '/api/sessions/:key/messages/:messageKey/raw': ofMessages((key, messageKey) =>
    sessionPath('messages/:messageKey/raw', key, { messageKey }),
  ),
  '/api/sessions/:key/messages/:messageKey/parts/:index': ofMessages((key, message) =>
    sessionPath('messages/:messageKey/parts/:index', key, { messageKey: message, index: 0 }),
  ),
  '/api/sessions/:key/tool-calls/:callId/output': ({ key, callIds }) =>
    callIds.map((callId) => sessionPath('tool-calls/:callId/output', key, { callId })),
  '/api/sessions/:key/find': ({ key, word }) =>
    MODES.map((mode) => sessionPath('find', key, { q: word, mode })),
  '/api/sessions/:key/reasoning': ({ key }) => [sessionPath('reasoning', key)],
  '/api/sessions/:key/context': ({ key }) => [sessionPath('context', key)],
  '/api/sessions/:key/waste': ({ key }) => [sessionPath('waste', key)],
  '/api/sessions/:key/why': ({ key }) => [sessionPath('why', key)],
  '/api/sessions/:key/what-if': ({ key }) => [sessionPath('what-if', key)],
  '/api/sessions/:key/neighbours': ({ key }) => [sessionPath('neighbours', key)],
  '/api/sessions/:key/changes': ({ key }) => [sessionPath('changes', key)],
  '/api/sessions/:key/handover': ({ key }) => [sessionPath('handover', key, { budget: 2_000 })],
  '/api/sessions/:key/timeline': ({ key }) => [sessionPath('timeline', key)],
  '/api/search': ({ word }) => [
    ...MODES.map((mode) => questionPath('search', { q: word, mode })),
    questionPath('search', { q: 'cache' }),
    questionPath('search', { q: 'cache quer', mode: 'substring' }),
    questionPath('search', { q: 'cart.*vouch', mode: 'regex' }),
    questionPath('search', { q: 'zyzzyva', mode: 'substring' }),
  ],
  '/api/search/suggest': ({ word }) => [questionPath('search/suggest', { q: word.slice(0, 3), at: 3 })],
  '/api/usage': () =>
    ['day', 'model', 'project', 'tool', 'session'].map((by) => questionPath('usage', { by })),
  '/api/usage/why': () => [questionPath('usage/why')],
  '/api/budgets': () => [questionPath('budgets')],
  '/api/doctor': () => [questionPath('doctor')],
  '/api/doctor/notes': () => [questionPath('doctor/notes')],
  '/api/marks': ({ key }) => [questionPath('marks'), questionPath('marks', { session: key })],
  '/api/marks/file': () => [apiPaths.marksFile()],
  '/api/views': () => [questionPath('views')],
  '/api/keep': () => [questionPath('keep')],
  '/api/journal': () => [questionPath('journal')],
  '/api/settings': () => [questionPath('settings')],
  '/api/report': () => [questionPath('report')],
}

/**
 * At least one address of every API route whose answers are about sessions.
 *
 * @throws if the route table has a route that is unknown here
 */
export function everyQuestion(asked: Askable): { route: string; path: string }[] {
  return listedRoutes
    .filter((route) => route.startsWith('/api/') && methodsOf(route).includes('GET'))
    .flatMap((route) => {
      const paths = QUESTIONS[route]
      if (paths === undefined) throw new Error(`Nothing here asks the route ${route}.`)
      return paths === null ? [] : paths(asked).map((path) => ({ route, path }))
    })
}
