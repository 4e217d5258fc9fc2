import { apiPaths, sessionPath } from '@gemini-dash/api'
import { listedRoutes, methodsOf } from '../src/server/contract/route-table.ts'

/** What there is to be asked for. */
export interface Askable {
  key: string
  otherKey: string
  messageKeys: readonly string[]
  callIds: readonly string[]
  /** Stands in the session. */
  word: string
}

const MODES = ['words', 'substring', 'regex']

const ofMessages = (path: (key: string, messageKey: string) => string) => (asked: Askable) =>
  asked.messageKeys.map((messageKey) => path(asked.key, messageKey))

/** For each route of the API that answers: the addresses that reach it. null: what it answers is of no session. */
const QUESTIONS: Readonly<Record<string, ((asked: Askable) => string[]) | null>> = {
  '/api/*': null,
  '/api/events': null,
  '/api/sessions/:key/neighbours/:fileId': null,
  '/api/health': () => [apiPaths.health()],
  '/api/projects': () => [apiPaths.projects()],
  '/api/sessions': () => [apiPaths.sessions(), apiPaths.sessions({ kind: 'all', q: 'a' })],
  '/api/sessions/:key': ({ key }) => [apiPaths.session(key), apiPaths.session(key, { outline: 'columns' })],
  '/api/sessions/:key/resume': ({ key }) => [
    apiPaths.resume(key),
    apiPaths.resume(key, { shell: 'powershell' }),
  ],
  '/api/sessions/:key/map': ({ key }) => [apiPaths.sessionMap(key)],
  '/api/sessions/:key/calls': ({ key }) => [
    apiPaths.calls(key),
    apiPaths.calls(key, { steps: 2 }),
    apiPaths.calls(key, { format: 'csv' }),
  ],
  '/api/sessions/:key/cost': ({ key }) => [apiPaths.costReport(key), apiPaths.costReport(key, { turn: 1 })],
  '/api/sessions/:key/messages': ({ key }) => [
    apiPaths.messages(key),
    apiPaths.messages(key, { limit: 1, offset: 1 }),
  ],
  '/api/sessions/:key/export': ({ key }) =>
    ['markdown', 'json', 'jsonl', 'csv', 'vac', 'raw'].map((format) => apiPaths.exported(key, { format })),
  '/api/export': ({ key }) => [apiPaths.exportedSeveral({ keys: key, format: 'jsonl' })],
  '/api/export/sessions': ({ key }) => [apiPaths.leavingSessions({ keys: key })],
  '/api/sessions/:key/export/review': ({ key }) => [apiPaths.exportReview(key)],
  '/api/sessions/:key/transcript': ({ key, messageKeys }) => [
    apiPaths.transcript(key),
    ...messageKeys.map((message) => apiPaths.transcript(key, { message, as: 'text' })),
  ],
  '/api/sessions/:key/messages/:messageKey/raw': ofMessages(apiPaths.raw),
  '/api/sessions/:key/messages/:messageKey/cost': ofMessages(apiPaths.cost),
  '/api/sessions/:key/messages/:messageKey/parts/:index': ofMessages((key, message) =>
    apiPaths.part(key, message, 0),
  ),
  '/api/sessions/:key/tool-calls/:callId/output': ({ key, callIds }) =>
    callIds.map((callId) => apiPaths.toolOutput(key, callId)),
  '/api/sessions/:key/find': ({ key, word }) => MODES.map((mode) => apiPaths.find(key, word, { mode })),
  '/api/sessions/:key/reasoning': ({ key }) => [apiPaths.reasoning(key)],
  '/api/sessions/:key/context': ({ key }) => [apiPaths.context(key)],
  '/api/sessions/:key/waste': ({ key }) => [apiPaths.waste(key)],
  '/api/sessions/:key/why': ({ key }) => [sessionPath('why', key)],
  '/api/sessions/:key/what-if': ({ key }) => [apiPaths.whatIf(key)],
  '/api/sessions/:key/neighbours': ({ key }) => [apiPaths.neighbours(key)],
  '/api/sessions/:key/files': ({ key }) => [apiPaths.sessionFiles(key)],
  '/api/sessions/:key/files/change': ({ key }) => [apiPaths.fileChange(key, 'no-such-file')],
  '/api/sessions/:key/edits': ({ key }) => [sessionPath('edits', key)],
  '/api/sessions/:key/handover': ({ key }) => [sessionPath('handover', key, { budget: 2_000 })],
  '/api/sessions/:key/timeline': ({ key }) => [apiPaths.timeline(key)],
  '/api/files/history': () => [apiPaths.fileHistory('/no-such-file')],
  '/api/search': ({ word }) => [
    ...MODES.map((mode) => apiPaths.search({ q: word, mode })),
    apiPaths.search({ q: 'cache' }),
    apiPaths.search({ q: 'cache quer', mode: 'substring' }),
    apiPaths.search({ q: 'cart.*vouch', mode: 'regex' }),
    apiPaths.search({ q: 'zyzzyva', mode: 'substring' }),
  ],
  '/api/search/suggest': ({ word }) => [apiPaths.suggest(word.slice(0, 3), { at: 3 })],
  '/api/compare': ({ key, otherKey }) => [apiPaths.compare(key, otherKey)],
  '/api/usage': () => ['day', 'model', 'project', 'tool', 'session'].map((by) => apiPaths.usage({ by })),
  '/api/usage/sum': () => [apiPaths.usageSum()],
  '/api/usage/why': () => [apiPaths.usageWhy()],
  '/api/budgets': () => [apiPaths.budgets()],
  '/api/doctor': () => [apiPaths.doctor()],
  '/api/doctor/notes': () => [apiPaths.doctorNotes()],
  '/api/marks': ({ key }) => [apiPaths.marks(), apiPaths.marks({ session: key })],
  '/api/marks/file': () => [apiPaths.marksFile()],
  '/api/views': () => [apiPaths.views()],
  '/api/keep': () => [apiPaths.keep()],
  '/api/journal': () => [apiPaths.journal()],
  '/api/settings': () => [apiPaths.settings()],
  '/api/report': () => [apiPaths.report()],
}

/**
 * One address at least of every route of the API that answers of sessions.
 *
 * @throws where the route table has a route that is not known here
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
