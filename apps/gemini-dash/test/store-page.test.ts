import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageQuerySchema, sessionQuerySchema } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { findHomes } from 'gemini-sessions/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../packages/session-index/src/driver.ts'
import { createStore } from '../src/store/create-store.ts'
import type { Store } from '../src/store/store.ts'
import { fixtureHome, workerUrl } from './open-test-server.ts'

const PAGE = fileURLToPath(new URL('../../../docs/store.md', import.meta.url))
const ALL = sessionQuerySchema.parse({ kind: 'all', empty: 'include', limit: 1000, tz: 'UTC' })

describe('what docs/store.md has people ask of the databases', () => {
  let folder: string
  let store: Store
  let sessions: Awaited<ReturnType<Store['sessions']>>['sessions']
  let messages: { key: string; message: Message }[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gemini-dash-store-page-'))
    store = await open('cache')
    await store.whenReady()
    sessions = (await store.sessions(ALL)).sessions
    const pages = sessions.map(async ({ key }) => {
      const page = await store.content.answer('messages', key, messageQuerySchema.parse({ limit: 500 }))
      return (page?.messages ?? []).map((message) => ({ key, message }))
    })
    messages = (await Promise.all(pages)).flat()
  })
  afterAll(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })

  it('says what each project cost in each month', async () => {
    const { rows } = await ask('What did each project cost')
    const usd = rows.reduce((sum, row) => sum + Number(row.usd), 0)
    const wanted = sessions.reduce((sum, { cost }) => sum + (cost?.usd ?? 0), 0)
    expect(wanted).toBeGreaterThan(0)
    expect(Math.abs(usd - wanted)).toBeLessThan(0.01 * rows.length)
    expect(new Set(rows.map(({ project }) => project))).toEqual(
      new Set(sessions.filter(({ usage }) => (usage?.calls ?? 0) > 0).map(({ project }) => project.name)),
    )
    expect(rows.map(({ month }) => month)).toContain('2026-11')
  })

  it('says which commands failed most', async () => {
    const { rows } = await ask('Which ten commands failed most?')
    const failed = messages.flatMap(({ message }) =>
      message.toolCalls.filter(({ name, failed }) => name === 'run_shell_command' && failed),
    )
    expect(failed.length).toBeGreaterThan(0)
    expect(rows.reduce((sum, { failures }) => sum + Number(failures), 0)).toBe(failed.length)
  })

  it('says which sessions touched a file', async () => {
    const { rows } = await ask('Which sessions touched a file?')
    const touching = messages.filter(({ message }) =>
      message.toolCalls.some(({ args }) => /\/src\/price\.js"/.test(JSON.stringify(args))),
    )
    expect(touching.length).toBeGreaterThan(0)
    expect(rows.map(({ key }) => key).sort()).toEqual([...new Set(touching.map(({ key }) => key))].sort())
  })

  it('is answered while sessions are read, and stops nothing', async () => {
    const reading = await open('other')
    let isRead = false
    const ready = reading.whenReady().then(() => {
      isRead = true
    })
    while (!isRead) await ask('Which ten commands failed most?', 'other')
    await ready
    const problem = reading.warnings.has('cache-not-kept')
    await reading.close()
    expect(problem).toBe(false)
    const ofOther = await ask('Which ten commands failed most?', 'other')
    expect(ofOther).toEqual({ ...(await ask('Which ten commands failed most?')), problem: null })
  })

  function open(cache: string): Promise<Store> {
    return createStore({
      homes: findHomes({ homeArguments: [fixtureHome('0.61.0')], env: {}, userHome: folder }),
      cacheDirectory: join(folder, cache),
      workerUrls: { index: workerUrl('index-worker.js'), reader: workerUrl('reader-worker.js') },
      isWatching: false,
      version: '0.0.0-test',
      isDemo: false,
    })
  }

  /** Runs the commands given on the page, on both files in their current state. */
  async function ask(title: string, cache = 'cache') {
    const page = await readFile(PAGE, 'utf8')
    const setUp = blockAfter(page, 'Both files as one:')
    const question = blockAfter(page, title)
    const [index = ''] = await readdir(join(folder, cache))
    const copy = await mkdtemp(join(folder, 'copy-'))
    for (const shard of ['shard-0-of-2.db', 'shard-1-of-2.db'])
      await cp(join(folder, cache, index, shard), join(copy, shard))
    const database = openDatabase(':memory:', 'node-sqlite3-wasm')
    try {
      // This build of SQLite lacks "immutable": it queries copies.
      database.exec(setUp.replace(/'file:(\S+)\?immutable=1'/g, (_, name) => `'${join(copy, name)}'`))
      return { rows: database.all(question), problem: null }
    } catch (error) {
      return { rows: [], problem: String(error) }
    } finally {
      database.close()
    }
  }
})

function blockAfter(page: string, title: string): string {
  const start = page.indexOf('```sql\n', page.indexOf(title)) + '```sql\n'.length
  return page.slice(start, page.indexOf('```', start))
}
