import {
  type Doctor,
  type MessagePage,
  type ProjectList,
  questionPath,
  type SearchResult,
  type SessionDetail,
  type SessionList,
  sessionPath,
  type UsageReport,
} from '../../packages/api/src/index.ts'

export type Get = <Answer>(path: string) => Promise<Answer>

export interface Answers {
  projects: ProjectList['projects']
  rows: SessionList['sessions']
  days: SessionList['days']
  sessions: Record<string, { detail: SessionDetail; messages: MessagePage['messages'] }>
  found: Record<string, SearchResult>
  usage: Record<string, UsageReport>
  doctor: Omit<Doctor, 'cache' | 'warnings'>
}

const PAGE = 1000
const SEARCHES = [
  { q: 'answer' },
  { q: 'rounding', sort: 'relevance' },
  { q: 'harbour OR größe OR 日本' },
  { q: 'tool:glob' },
  { q: 'is:error' },
  { q: 'go on with', mode: 'substring' },
  { q: 'found glob_\\d', mode: 'regex' },
]
const GROUPINGS = ['day', 'model', 'project', 'tool', 'session']

/** All answers that a page or a command can get, except those about the program itself. */
export async function collectAnswers(get: Get): Promise<Answers> {
  const list = await get<SessionList>(questionPath('sessions', { kind: 'all', limit: PAGE, tz: 'UTC' }))
  const sessions: Answers['sessions'] = {}
  for (const { key } of list.sessions) {
    const detail = await get<SessionDetail>(questionPath('sessions/:key', { key }))
    sessions[key] = { detail: { ...detail, state: '' }, messages: await allMessages(get, key) }
  }
  const found: Answers['found'] = {}
  for (const search of SEARCHES)
    found[search.q] = await get<SearchResult>(questionPath('search', { ...search, limit: PAGE, tz: 'UTC' }))
  const usage: Answers['usage'] = {}
  for (const by of GROUPINGS) usage[by] = await get<UsageReport>(questionPath('usage', { by, tz: 'UTC' }))
  const { cache: _, warnings: __, ...doctor } = await get<Doctor>(questionPath('doctor'))
  const { projects } = await get<ProjectList>(questionPath('projects'))
  return { projects, rows: list.sessions, days: list.days, sessions, found, usage, doctor }
}

async function allMessages(get: Get, key: string): Promise<MessagePage['messages']> {
  const messages: MessagePage['messages'] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const page: MessagePage = await get(sessionPath('messages', key, { offset, limit: PAGE }))
    messages.push(...page.messages)
    offset = page.nextOffset
  }
  return messages
}
