import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageFilterSchema, messageQuerySchema, sessionQuerySchema } from '@gemini-dash/api'
import { CHART_STEPS } from '@gemini-dash/api/paths'
import type { LongFrom } from '@gemini-dash/session-index'
import type { Message } from 'gemini-sessions'
import { findHomes } from 'gemini-sessions/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { createStore } from '../src/store/create-store.ts'
import type { Store } from '../src/store/store.ts'
import { read, type Written } from '../src/store/written-messages.ts'
import { fixtureHome, workerUrl } from './open-test-server.ts'

const EVERY: LongFrom = { bytes: 0, messages: 0 }
const LONG_AGO = new Date(machineTime().getTime() - 60 * 60_000)
const ALL = sessionQuerySchema.parse({ limit: 1_000, kind: 'all', superseded: 'include' })

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-long-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Without `longFrom`, small idle sessions are read from their files. */
async function withStore<T>(
  home: string,
  longFrom: LongFrom | null,
  ask: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await createStore({
    homes: findHomes({ homeArguments: [home], env: {}, userHome: folder }),
    cacheDirectory: null,
    workerUrls: { index: workerUrl('index-worker.js'), reader: workerUrl('reader-worker.js') },
    isWatching: true,
    version: '0.0.0-test',
    isDemo: false,
    ...(longFrom && { longFrom }),
  })
  try {
    await store.whenReady()
    return await ask(store)
  } finally {
    await store.close()
  }
}

/** As the server would send it. */
function sent(answer: unknown): unknown {
  if (answer === null || typeof answer !== 'object') return answer
  if ('json' in answer && answer.json instanceof Uint8Array) return read(answer as Written<unknown>)
  if ('bytes' in answer && answer.bytes instanceof Uint8Array)
    return { ...answer, bytes: Buffer.from(answer.bytes).toString('base64') }
  return JSON.parse(JSON.stringify(answer))
}

/** Everything that the page of a session requests first, and every full text that its messages link to. */
async function answersOf(store: Store): Promise<Record<string, unknown>> {
  const { content } = store
  const answers: Record<string, unknown> = {}
  for (const { key } of (await store.sessions(ALL)).sessions) {
    answers[`${key} detail`] = sent(await content.writtenSession(key))
    answers[`${key} map`] = sent(await content.answer('map', key, {}))
    answers[`${key} cost`] = sent(await content.answer('cost', key, {}))
    answers[`${key} what-if`] = sent(await content.answer('what-if', key, {}))
    for (const steps of [undefined, CHART_STEPS])
      answers[`${key} calls ${steps}`] = sent(await content.answer('calls', key, { steps } as never))
    const page = async (query: Record<string, unknown>) =>
      sent(await content.answer('messages', key, messageQuerySchema.parse(query))) as { messages: Message[] }
    const whole = await page({ limit: 500 })
    answers[`${key} messages`] = whole
    for (const show of messageFilterSchema.options) answers[`${key} ${show}`] = await page({ show, limit: 3 })
    const middle = whole.messages.at(whole.messages.length >> 1)?.key ?? 'none'
    answers[`${key} around`] = await page({ around: middle, limit: 5, superseded: 'exclude' })
    answers[`${key} second`] = await page({ offset: 2, limit: 2, show: 'dialogue' })
    for (const message of whole.messages) {
      const of = { messageKey: message.key }
      answers[`${key} ${message.key} raw`] = sent(await content.answer('messages/:messageKey/raw', key, of))
      for (const index of message.content.keys())
        answers[`${key} ${message.key} ${index}`] = sent(
          await content.answer('messages/:messageKey/parts/:index', key, { ...of, index }),
        )
      for (const { id } of message.toolCalls)
        for (const part of ['output', 'display', 'extra-0'])
          answers[`${key} ${id} ${part}`] = sent(
            await content.answer('tool-calls/:callId/output', key, { callId: id, of: part } as never),
          )
    }
  }
  return answers
}

/** The answers that do not depend on whether the session is still being written. */
async function lasting(store: Store): Promise<Record<string, unknown>> {
  const answers = Object.entries(await answersOf(store)).flatMap(([name, answer]) => {
    if (name.endsWith(' errors') || name.endsWith(' map')) return []
    if (!name.endsWith(' detail')) return [[name, answer] as const]
    const { session: _, related: __, ...detail } = answer as Record<string, unknown>
    return [[name, detail] as const]
  })
  return Object.fromEntries(answers)
}

let homes = 0
/** A copy of a home in which nothing was written recently. */
function restingHome(version: string): string {
  const copy = join(folder, `home-${++homes}`)
  cpSync(fixtureHome(version), copy, { recursive: true })
  for (const path of filesIn(copy)) utimesSync(path, LONG_AGO, LONG_AGO)
  return join(copy, '.gemini')
}

function filesIn(path: string, ending = ''): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
}

describe('what is stored of a session', () => {
  it.each(readdirSync(fixtureHome('')))('answers as its files do: a home of %s', async (version) => {
    const home = restingHome(version)
    const expected = await withStore(home, null, answersOf)
    const answers = await withStore(home, EVERY, answersOf)
    expect(Object.keys(answers).length).toBeGreaterThan(20)
    expect(answers).toEqual(expected)
  })

  it('is not served where a file was written since', async () => {
    const home = restingHome('0.61.0')
    const [path = ''] = filesIn(join(home, 'tmp'), '.jsonl').sort(
      (one, other) => readFileSync(other).length - readFileSync(one).length,
    )
    const text = readFileSync(path, 'utf8')
    await withStore(home, EVERY, async (store) => {
      const page = async () => {
        const [session] = (await store.sessions(ALL)).sessions.filter(({ files }) =>
          files.some((file) => path.endsWith(file.path)),
        )
        const query = messageQuerySchema.parse({ limit: 500 })
        return sent(await store.content.answer('messages', session?.key ?? '', query)) as {
          messages: Message[]
        }
      }
      const before = await page()
      const said = before.messages.find(({ origin }) => origin === 'human')?.content[0]
      const words = said?.kind === 'text' ? said.text.slice(0, 12) : ''
      expect(words).toHaveLength(12)
      // same length and same time as before
      const other = words.replace(/[a-z]/g, 'x')
      writeFileSync(path, text.replaceAll(words, other))
      utimesSync(path, LONG_AGO, LONG_AGO)
      const after = await page()
      expect(after.messages.map(({ key }) => key)).toEqual(before.messages.map(({ key }) => key))
      await store.whenReady()
      await expect
        .poll(async () => JSON.stringify((await page()).messages), { timeout: 60_000 })
        .toContain(other)
    })
  })

  it('answers as its files do while it grows', async () => {
    const home = restingHome('0.61.0')
    const [path = ''] = filesIn(join(home, 'tmp'), '.jsonl').sort(
      (one, other) => readFileSync(other).length - readFileSync(one).length,
    )
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    writeFileSync(path, `${lines.slice(0, 5).join('\n')}\n`)
    await withStore(home, EVERY, async (store) => {
      for (let from = 5; from < lines.length; from += Math.ceil(lines.length / 4)) {
        const added = lines.slice(from, from + Math.ceil(lines.length / 4))
        appendFileSync(path, `${added.join('\n')}\n`)
        const expected = await withStore(home, null, lasting)
        await expect.poll(() => lasting(store), { timeout: 60_000, interval: 300 }).toEqual(expected)
      }
    })
  })
})
