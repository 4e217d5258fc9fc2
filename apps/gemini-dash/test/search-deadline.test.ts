import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SearchResult, searchQuerySchema, searchResultSchema } from '@gemini-dash/api'
import { findHomes, readSessionGroup, scanHomes } from 'gemini-sessions/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findInMessages } from '../src/store/reader/walk-messages.ts'
import { openTestServer, type TestServer } from './open-test-server.ts'
import { runProgram } from './run-program.ts'

const SESSIONS = 12
/** A session whose day is divisible by this has a long text. */
const LONG_EACH = 6
/** Needs a large automaton: a long text takes all the time it may. */
const SLOW = '(?:.{1,300}x){3}Q|heron'

let folder: string
let server: TestServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
  const chats = join(folder, '.gemini', 'tmp', 'shop', 'chats')
  mkdirSync(chats, { recursive: true })
  let drawn = 1
  const long = Array.from({ length: 200_000 }, () => {
    drawn = (drawn * 1_103_515_245 + 12_345) % 2_147_483_648
    return drawn > 1_600_000_000 ? 'x' : 'o'
  }).join('')
  for (let day = 1; day <= SESSIONS; day += 1) {
    const timestamp = `2026-10-${String(day).padStart(2, '0')}T10:00:00.000Z`
    const id = `${String(day).padStart(8, '0')}-0000-4000-8000-000000000000`
    const records = [
      { sessionId: id, projectHash: 'f'.repeat(64), startTime: timestamp, lastUpdated: timestamp },
      { id: 'p', timestamp, type: 'user', content: [{ text: `A heron on day ${day}` }] },
      {
        id: 'a',
        timestamp,
        type: 'gemini',
        model: 'gemini-2.5-pro',
        content: day % LONG_EACH === 0 ? long : 'short',
      },
      { id: 'q', timestamp, type: 'user', content: [{ text: 'Another heron' }] },
    ]
    writeFileSync(
      join(chats, `session-${timestamp.slice(0, 10)}T10-00-${id.slice(0, 8)}.jsonl`),
      records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    )
  }
  server = await openTestServer({ home: folder })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function search(cursor: string | undefined, more: object = {}): Promise<SearchResult> {
  const query = searchQuerySchema.parse({ q: SLOW, mode: 'regex', timeout: 1, cursor, ...more })
  const { schemaVersion: _, ...result } = searchResultSchema.parse({
    schemaVersion: 1,
    ...(await server.store.search(query)),
  })
  return result
}

test('S7: whoever follows the cursor of a search whose time is over has every hit once', async () => {
  const seen: string[] = []
  let leftOut = 0
  let cursor: string | undefined
  let parts = 0
  for (;;) {
    const result: SearchResult = await search(cursor, { limit: 6 })
    for (const { sessionKey, messageKey } of result.hits) seen.push(`${sessionKey} ${messageKey}`)
    if (parts === 0) {
      expect(result.partial).toMatchObject({ seconds: 1 })
      expect(result.coverage.filesTotal).toBe(SESSIONS)
      expect(result.coverage.filesDone).toBeLessThan(SESSIONS)
      expect(result.hits.length).toBeGreaterThan(0)
    }
    // another page of hits, or the next part
    if (result.nextCursor === null || result.nextCursor.startsWith('0~'))
      leftOut += result.partial?.messagesLeftOut ?? 0
    parts += 1
    if (result.nextCursor === null) break
    cursor = result.nextCursor
    expect(parts).toBeLessThan(200)
  }
  expect(new Set(seen).size).toBe(seen.length)
  // The title, which is the first prompt, contains a heron as well.
  const prompts = seen.filter((hit) => !hit.endsWith(' null'))
  expect(prompts.length).toBe(2 * SESSIONS)
  expect(leftOut).toBe(SESSIONS / LONG_EACH)
})

const base64 = (json: string) => Buffer.from(json).toString('base64url')

test.each([
  'x',
  '-1',
  '0~',
  '0~zz',
  `0~${base64('[null,[[1,2]],null]')}`,
  `0~${base64('[null,[[1,2,3.5]],null]')}`,
  `at~${base64('[[0,0,"","",0,"title"],null,null]')}`,
  `at~${base64('{}')}`,
  `0~${'z'.repeat(300)}`,
  '~~~',
])('S7: %j is no cursor, and harms nothing', async (cursor) => {
  const result = await search(cursor, { q: 'day 3', mode: 'substring' })
  expect(result.partial).toBeNull()
  expect(result.total).toBeLessThanOrEqual(2)
})

test('S7: the command says how to go on, and its JSON is marked', async () => {
  const where = ['--home', folder, '--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
  const command = ['search', SLOW, '--mode', 'regex', '--timeout', '1', ...where]
  const { code, stderr } = await runProgram(command)
  expect(code).toBe(0)
  const [, cursor = ''] =
    /Stopped after 1 seconds?: \d+ of 12 files searched, newest first\. Continue with --cursor (\S+), or search longer with --timeout 60\./.exec(
      stderr,
    ) ?? []
  expect(cursor).toMatch(/^0~/)
  const first = JSON.parse((await runProgram([...command, '--json'])).stdout) as SearchResult
  expect(first.partial).not.toBeNull()
  const rest = JSON.parse(
    (await runProgram([...command, '--cursor', cursor, '--json'])).stdout,
  ) as SearchResult
  expect(rest.hits.length).toBeGreaterThan(0)
  const keyOf = ({ sessionKey, messageKey }: SearchResult['hits'][number]) => `${sessionKey} ${messageKey}`
  expect(rest.hits.map(keyOf).filter((key) => first.hits.map(keyOf).includes(key))).toEqual([])
  expect((await runProgram(['search', 'a', '--timeout', '0', ...where])).code).toBe(2)
})

test('S7: a find in one session goes on where its time was over', async () => {
  const homes = findHomes({ homeArguments: [folder], env: {}, userHome: folder })
  const [file] = (await scanHomes(homes)).files.filter(({ path }) => path.includes('session-2026-10-12'))
  if (file === undefined) throw new Error('no file')
  const [session] = await readSessionGroup([file])
  if (session === undefined) throw new Error('no session')
  const request = { mode: 'regex', tree: null, pattern: SLOW } as const
  const found: string[] = []
  let offset: number | null = 0
  let leftOut = 0
  for (let parts = 0; offset !== null && parts < 20; parts += 1) {
    const part = await findInMessages(
      session.key,
      session,
      { ...request, offset, limitMs: 500 },
      async (batch) => [...batch],
    )
    found.push(...part.hits.map(({ messageKey }) => messageKey))
    leftOut += part.partial?.messagesLeftOut ?? 0
    offset = part.partial?.nextOffset ?? null
  }
  expect([found, offset, leftOut]).toEqual([['p', 'q'], null, 1])
})
