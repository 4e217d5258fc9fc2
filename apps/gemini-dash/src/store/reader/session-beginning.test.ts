import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MessagePage, messageQuerySchema } from '@gemini-dash/api'
import { fromTurnColumns } from '@gemini-dash/api/turn-columns'
import { sessionKey } from 'gemini-sessions'
import { readSessionBeginning } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { read } from '../written-messages.ts'
import { SessionAnswerer } from './session-answerer.ts'
import type { SessionPlace } from './session-place.ts'

const SESSION_ID = '4363c94e-b2c5-4034-b4ff-8148ed6493c9'
const START = '2026-11-21T20:28:20.912Z'
const METADATA = { sessionId: SESSION_ID, projectHash: '0'.repeat(64), startTime: START, lastUpdated: START }
const TURNS = 300
const PAGE = messageQuerySchema.parse({})

/** A prompt and an answer of some 4 KB per turn. */
const MESSAGES = Array.from({ length: 2 * TURNS }, (_, n) =>
  n % 2 === 0
    ? { id: `m${n}`, timestamp: START, type: 'user', content: `question ${n / 2}` }
    : {
        id: `m${n}`,
        timestamp: START,
        type: 'gemini',
        model: 'gemini-2.5-pro',
        content: `answer ${'and more '.repeat(450)}`,
        tokens: { input: 100, output: 20, cached: 0, thoughts: 0, tool: 0, total: 120 },
      },
)
const log = (records: object[]) =>
  [METADATA, ...records].map((record) => `${JSON.stringify(record)}\n`).join('')

describe('the beginning of a session that is not read yet', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gemini-dash-beginning-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function place(...names: string[]): Promise<SessionPlace> {
    const files = await Promise.all(
      names.map(async (name) => {
        const absolutePath = join(folder, name)
        const { size, mtimeMs, mtimeNs, ctimeNs, ino } = await stat(absolutePath, { bigint: true })
        return {
          home: folder,
          path: `tmp/webshop/chats/${name}`,
          absolutePath,
          projectFolder: folder,
          sizeBytes: Number(size),
          mtimeMs: Number(mtimeMs),
          mtimeNs: String(mtimeNs),
          ctimeNs: String(ctimeNs),
          inode: String(ino),
        }
      }),
    )
    const key = sessionKey(SESSION_ID, START)
    const source = { id: 'g', fingerprint: 'f', files }
    return { source, ownKey: key, shownKey: key, root: null, isAgent: false, subagents: [] }
  }
  async function beginningOf(reader: SessionAnswerer, at: SessionPlace): Promise<MessagePage | null> {
    const written = await reader.answer('beginning', { ...at, asked: {} })
    return written && (read(written) as MessagePage)
  }

  it.each(['session.jsonl', 'session.json'])(
    'is told as %s has it, marked, and of turns that are whole',
    async (name) => {
      const isLog = name.endsWith('l')
      const text = isLog ? log(MESSAGES) : JSON.stringify({ ...METADATA, messages: MESSAGES }, null, 2)
      await writeFile(join(folder, name), text)
      const at = await place(name)
      const reader = new SessionAnswerer()
      const beginning = await beginningOf(reader, at)
      expect(beginning).toMatchObject({ partial: true, total: null, nextOffset: null, offset: 0 })
      const whole = await reader.answer('messages', { ...at, asked: { ...PAGE, limit: 40 } })
      expect(whole).toMatchObject({ partial: false, total: MESSAGES.length })
      expect(beginning?.messages).toEqual((whole as MessagePage).messages)
      const detail = await reader.answer('detail', { ...at, asked: {} })
      const outline = detail === null ? [] : fromTurnColumns(read(detail).turnColumns)
      expect(beginning?.outline).toEqual(outline.slice(0, 20))
      expect(beginning?.outline?.[0]?.usage.calls).toBe(1)
    },
  )

  it('knows nothing of what is taken back later, which the whole says', async () => {
    await writeFile(join(folder, 'session.jsonl'), log([...MESSAGES, { $rewindTo: 'm2' }]))
    const at = await place('session.jsonl')
    const reader = new SessionAnswerer()
    const superseded = (page: MessagePage | null) => page?.messages.slice(0, 4).map((each) => each.superseded)
    expect(superseded(await beginningOf(reader, at))).toEqual([null, null, null, null])
    const whole = (await reader.answer('messages', { ...at, asked: PAGE })) as MessagePage
    expect(superseded(whole)).toEqual([null, null, 'rewound', 'rewound'])
  })

  it('leaves out what may only be half of a message: its calls are recorded again with what they gave', async () => {
    const half = { id: 'half', timestamp: START, type: 'gemini', content: 'I look.' }
    const filler = { id: 'x', timestamp: START, type: 'user', content: 'a long text '.repeat(90_000) }
    await writeFile(join(folder, 'session.jsonl'), log([...MESSAGES.slice(0, 20), half, filler]))
    const beginning = await beginningOf(new SessionAnswerer(), await place('session.jsonl'))
    expect(beginning?.messages.map(({ key }) => key)).toEqual(MESSAGES.slice(0, 20).map(({ id }) => id))
    // nor is it known that the last turn is over
    expect(beginning?.outline).toHaveLength(9)
  })

  it('ends between two records of a log: none is taken for a torn one', async () => {
    await writeFile(join(folder, 'session.jsonl'), log(MESSAGES))
    const [file] = (await place('session.jsonl')).source.files
    const session = file && readSessionBeginning(file, 100_000)
    expect(session?.messages.length).toBeGreaterThan(10)
    expect(session?.issues).toEqual([])
  })

  it('is not told of an open session, a short one, several files, and where it holds nearly nothing', async () => {
    await writeFile(join(folder, 'session.jsonl'), log(MESSAGES))
    await writeFile(join(folder, 'short.jsonl'), log(MESSAGES.slice(0, 30)))
    const paste = { id: 'p', timestamp: START, type: 'user', content: 'pasted '.repeat(1_300_000) }
    await writeFile(join(folder, 'paste.jsonl'), log([paste, ...MESSAGES]))
    const at = await place('session.jsonl')
    const reader = new SessionAnswerer()
    await reader.answer('messages', { ...at, asked: PAGE })
    expect(await beginningOf(reader, at)).toBeNull()
    for (const names of [['short.jsonl'], ['session.jsonl', 'short.jsonl'], ['paste.jsonl']])
      expect([names, await beginningOf(new SessionAnswerer(), await place(...names))]).toEqual([names, null])
  })
})
