import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  apiPaths,
  LISTED_KINDS,
  type MessagePage,
  questionPath,
  SESSION_ORDERS,
  type SearchResult,
  type SessionList,
  type SessionNeighbours,
  sessionPath,
} from '@gemini-dash/api'
import { machineTime } from '../../../../fixtures/machine-time.ts'
import { everyQuestion } from '../every-question.ts'
import { startProgram } from '../run-program.ts'
import { copyHomes } from './golden-homes.ts'
import { normalize } from './normalize.ts'

/** One answer of the API, without what differs between runs. */
export interface GoldenAnswer {
  /** As in the route table. */
  route: string
  path: string
  status: number
  /** JSON; a text; for bytes their number and hash. */
  body: unknown
}

/** The time at the program's start. */
const CLOCK = Date.parse('2026-11-26T12:00:00.000Z')
const CLOCK_SHIM = fileURLToPath(new URL('../../../../faults/shims/moving-clock.cjs', import.meta.url))
const READY_MS = 60_000
/** Number of messages per session whose raw record, cost, parts and text are requested; the same for calls and files. */
const EACH = 10
const PAGE = 7
/** With more sessions than this, orders and ranges add nothing new. */
const FEW = 3
const QUERIES = [
  { q: 'the' },
  { q: 'error' },
  { q: 'cart OR file', sort: 'recent' },
  { q: '"the file" -error' },
  { q: 'is:error' },
  { q: 'tool:shell' },
  { q: 'tool:shell is:error' },
  { q: 'in:answer the' },
  { q: 'is:superseded' },
  { q: 'ile', mode: 'substring' },
  { q: 'f[a-z]+d', mode: 'regex' },
  { q: 'zyzzyva' },
]

/** All answers of the built program about copies of fixture homes, from every read-only route. */
export async function collectAnswers(names: readonly string[]): Promise<GoldenAnswer[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-dash-golden-'))
  const homes = copyHomes(names, folder).flatMap((home) => ['--home', home])
  const control = join(folder, 'clock')
  writeFileSync(control, String(CLOCK - machineTime().getTime()))
  const own = ['--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
  const serve = ['serve', '--json', '--no-open', '--no-token', '--no-watch', '--port', '0']
  const program = startProgram([...serve, ...homes, ...own], {
    NODE_OPTIONS: `--require ${CLOCK_SHIM}`,
    CLOCK_CONTROL: control,
    TZ: 'UTC',
    // hides any installed Gemini CLI
    PATH: folder,
    HOME: folder,
  })
  try {
    const { port } = JSON.parse(await program.firstLine)
    const interview = new Interview(port, folder)
    await interview.whenReady()
    await askEverything(interview)
    return interview.answers()
  } finally {
    program.child.kill('SIGTERM')
    await program.finished
    rmSync(folder, { recursive: true, force: true })
  }
}

class Interview {
  readonly #base: string
  readonly #folder: string
  readonly #answers = new Map<string, GoldenAnswer>()

  constructor(port: number, folder: string) {
    this.#base = `http://127.0.0.1:${port}`
    this.#folder = folder
  }

  answers(): GoldenAnswer[] {
    return [...this.#answers.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
  }

  hasAsked(path: string): boolean {
    return this.#answers.has(path)
  }

  async whenReady(): Promise<void> {
    const untilMs = performance.now() + READY_MS
    while (true) {
      const answer = await fetch(`${this.#base}${questionPath('health')}`)
      const { index } = (await answer.json()) as { index: { state: string } }
      if (index.state === 'ready') return
      if (performance.now() > untilMs) throw new Error('not everything is read after a minute')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** Sends a request, records the answer by its address or another name, and returns it unchanged; null if it is not JSON. */
  async ask<Answer>(route: string, path: string, name = path): Promise<Answer | null> {
    const answer = await fetch(`${this.#base}${path}`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    const type = answer.headers.get('content-type') ?? ''
    const body = normalize({ route, type, bytes, folder: this.#folder, base: this.#base })
    this.#answers.set(name, { route, path: name, status: answer.status, body })
    return answer.ok && type.startsWith('application/json') ? JSON.parse(bytes.toString()) : null
  }

  /** All pages, one by one. */
  async follow<Page extends { nextCursor: string | null }>(
    route: string,
    pathOf: (cursor: string | undefined) => string,
  ): Promise<void> {
    const path = pathOf(undefined)
    const pages: unknown[] = []
    let cursor: string | undefined
    do {
      const page: Page | null = await this.ask<Page>(route, pathOf(cursor))
      const asked = pathOf(cursor)
      pages.push(this.#answers.get(asked)?.body)
      this.#answers.delete(asked)
      cursor = page?.nextCursor ?? undefined
    } while (cursor !== undefined)
    this.#answers.set(path, { route, path, status: 200, body: pages })
  }
}

async function askEverything(interview: Interview): Promise<void> {
  const list = await interview.ask<SessionList>(
    '/api/sessions',
    questionPath('sessions', { kind: 'all', limit: 1000 }),
  )
  const sessions = list?.sessions ?? []
  const projects = new Set<string>()
  const models = new Set<string>()
  for (const session of sessions) {
    projects.add(session.project.key)
    for (const { name } of session.models ?? []) models.add(name)
    await askSession(interview, session.key)
  }
  await askLists(interview, { projects: [...projects].sort(), models: [...models].sort() })
  if (sessions.length > FEW) await askOrders(interview)
}

async function askSession(interview: Interview, key: string): Promise<void> {
  const messages = await askMessages(interview, key)
  const callIds = messages.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id))
  const asked = {
    key,
    messageKeys: spread(messages.map((message) => message.key)),
    callIds: spread([...new Set(callIds)]),
    word: 'the',
  }
  for (const { route, path } of everyQuestion(asked))
    if (!interview.hasAsked(path)) await interview.ask(route, path)
  await interview.ask('/api/sessions/:key/messages', sessionPath('messages', key, { superseded: 'exclude' }))
  for (const format of ['markdown', 'jsonl'])
    for (const depth of ['prompts', 'all'])
      await interview.ask(
        '/api/sessions/:key/export',
        apiPaths.exported(key, { format, depth, redact: 'on' }),
      )
  for (const budget of [500, 8000])
    await interview.ask('/api/sessions/:key/handover', sessionPath('handover', key, { budget }))
  await askFiles(interview, key)
}

async function askMessages(interview: Interview, key: string): Promise<MessagePage['messages']> {
  const messages: MessagePage['messages'] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const path = sessionPath('messages', key, { offset, limit: 100 })
    const page: MessagePage | null = await interview.ask<MessagePage>('/api/sessions/:key/messages', path)
    messages.push(...(page?.messages ?? []))
    offset = page?.nextOffset ?? null
  }
  return messages
}

async function askFiles(interview: Interview, key: string): Promise<void> {
  const beside = await interview.ask<SessionNeighbours>(
    '/api/sessions/:key/neighbours',
    sessionPath('neighbours', key),
  )
  const found = [...(beside?.savedOutputs ?? []), ...(beside?.images ?? []), ...(beside?.plans ?? [])]
  const files = [...found.map(({ file }) => file), ...(beside?.otherFiles ?? [])]
  for (const file of files.flatMap((each) => each ?? [])) {
    const path = sessionPath('neighbours/:fileId', key, { fileId: file.id })
    // its id depends on the location of the home
    await interview.ask('/api/sessions/:key/neighbours/:fileId', path, path.replace(file.id, file.path))
  }
}

async function askLists(
  interview: Interview,
  { projects, models }: { projects: string[]; models: string[] },
): Promise<void> {
  const lists = [
    ...LISTED_KINDS.map((kind) => ({ kind })),
    ...models.map((model) => ({ model })),
    ...projects.map((project) => ({ project, kind: 'all' })),
    { has: 'errors' },
    { tool: 'shell' },
    { attachments: 'true' as const },
    { empty: 'exclude', days: 'none' },
  ]
  for (const query of lists) await followList(interview, query)
  for (const query of QUERIES)
    await interview.follow<SearchResult>('/api/search', (cursor) =>
      questionPath('search', { ...query, limit: 50, cursor }),
    )
  await askUsage(interview, {})
}

async function askOrders(interview: Interview): Promise<void> {
  const lists = [
    ...SESSION_ORDERS.flatMap((sort) => [{ sort }, { sort: `-${sort}` }]),
    { title: 'the', days: 'rows' },
    { from: '7d' },
    { from: '2026-11-01', to: '2026-11-20', tz: 'Asia/Tokyo' },
  ]
  for (const query of lists) await followList(interview, query)
  for (const q of ['ca', 'tool:', 'project:', 'is:', 'model:g'])
    await interview.ask('/api/search/suggest', questionPath('search/suggest', { q, at: q.length }))
  await askUsage(interview, { from: '30d', tz: 'America/Caracas' })
}

function followList(interview: Interview, query: Record<string, string | undefined>): Promise<void> {
  return interview.follow<SessionList>('/api/sessions', (cursor) =>
    questionPath('sessions', { ...query, limit: PAGE, cursor }),
  )
}

async function askUsage(interview: Interview, range: { from?: string; tz?: string }): Promise<void> {
  for (const by of ['day', 'week', 'month', 'hour-of-week', 'model', 'project', 'tool', 'session'])
    await interview.ask('/api/usage', questionPath('usage', { by, ...range }))
  for (const by of ['day', 'month'])
    await interview.ask(
      '/api/usage',
      questionPath('usage', { by, split: 'project', format: 'csv', ...range }),
    )
  await interview.ask('/api/usage/why', questionPath('usage/why', range))
}

/** At most this many of them, evenly from first to last. */
function spread<Item>(items: readonly Item[]): Item[] {
  if (items.length <= EACH) return [...items]
  return Array.from({ length: EACH }, (_, place) => {
    return items[Math.round((place * (items.length - 1)) / (EACH - 1))] as Item
  })
}
