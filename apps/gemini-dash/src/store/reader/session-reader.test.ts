import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageQuerySchema } from '@gemini-dash/api'
import { sessionKey } from 'gemini-sessions'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { read } from '../written-messages.ts'
import { SessionAnswerer } from './session-answerer.ts'
import type { SessionPlace } from './session-place.ts'

const SESSION_ID = '4363c94e-b2c5-4034-b4ff-8148ed6493c9'
const START = '2026-11-21T20:28:20.912Z'
const METADATA = { sessionId: SESSION_ID, projectHash: '0'.repeat(64), startTime: START, lastUpdated: START }
const OUTPUT = 'a line of the output, which is long\n'.repeat(200)
const FIRST_PAGE = messageQuerySchema.parse({})

const call = (n: number, output = `${n} ${OUTPUT}`) => ({
  id: `call-${n}`,
  name: 'read_file',
  args: { file_path: `/app/${n}.ts` },
  result: [{ functionResponse: { id: `call-${n}`, name: 'read_file', response: { output } } }],
  resultDisplay: { fileDiff: `@@ -1 +1 @@\n-old\n+new ${n}\n${' same\n'.repeat(900)}`, fileName: `${n}.ts` },
  status: 'success',
  timestamp: START,
})
const row = (n: number, output?: string) => ({
  id: `m${n}`,
  timestamp: START,
  type: 'gemini',
  content: `answer ${n}`,
  toolCalls: [call(n, output)],
})
/** More rows than fit into a document that is parsed in one piece. */
const MANY_ROWS = Array.from({ length: 20 }, (_, n) => row(n + 1))
const document = (messages: unknown[]) => JSON.stringify({ ...METADATA, messages }, null, 2)
const line = (value: unknown) => `${JSON.stringify(value)}\n`

describe('the reader of session files', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gemini-dash-reader-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function place(name: string): Promise<SessionPlace> {
    const absolutePath = join(folder, name)
    const { size, mtimeMs, mtimeNs, ctimeNs, ino } = await stat(absolutePath, { bigint: true })
    const file = {
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
    const ownKey = sessionKey(SESSION_ID, START)
    const source = { id: 'g', fingerprint: String(size), files: [file] }
    return { source, ownKey, shownKey: ownKey, subagents: [], root: null, isAgent: false }
  }

  const shownOutput = async (reader: SessionAnswerer, at: SessionPlace, n: number) => {
    const page = await reader.answer('messages', { ...at, asked: FIRST_PAGE })
    const output = page?.messages.find(({ id }) => id === `m${n}`)?.toolCalls[0]?.output
    return output !== undefined && 'text' in output ? output.text : undefined
  }

  it('shows whole outputs and diffs, of a log and of a document', async () => {
    const rows = MANY_ROWS
    await writeFile(join(folder, 'session-log.jsonl'), line(METADATA) + rows.map(line).join(''))
    await writeFile(join(folder, 'session-document.json'), document(rows))
    for (const name of ['session-log.jsonl', 'session-document.json']) {
      const reader = new SessionAnswerer()
      const at = await place(name)
      expect(await shownOutput(reader, at, 2)).toBe(`2 ${OUTPUT}`)
      expect(
        await reader.answer('tool-calls/:callId/output', {
          ...at,
          asked: { callId: 'call-2', of: 'output' },
        }),
      ).toEqual({
        kind: 'text',
        text: `2 ${OUTPUT}`,
      })
      expect(
        await reader.answer('tool-calls/:callId/output', {
          ...at,
          asked: { callId: 'call-1', of: 'display' },
        }),
      ).toMatchObject({
        fileDiff: call(1).resultDisplay.fileDiff,
        linesAdded: 1,
        linesRemoved: 1,
      })
      const raw = await reader.answer('messages/:messageKey/raw', { ...at, asked: { messageKey: 'm2' } })
      expect(raw && 'json' in raw && read(raw).record).toEqual(row(2))
      expect(
        (
          await reader.answer('find', {
            ...at,
            asked: { mode: 'substring', tree: null, pattern: '17 A LINE of the', offset: 0 },
          })
        )?.hits,
      ).toMatchObject([{ messageKey: 'm17', offset: 16, field: 'tool-output' }])
    }
  })

  it('opens the first session of a row that was made of a head, whatever its key turns out to be', async () => {
    await writeFile(join(folder, 'session-log.jsonl'), line(METADATA) + MANY_ROWS.map(line).join(''))
    const at = { ...(await place('session-log.jsonl')), ownKey: 'of the name' }
    expect(await new SessionAnswerer().answer('messages', { ...at, asked: FIRST_PAGE })).toBeNull()
    const page = await new SessionAnswerer().answer('messages', {
      ...at,
      isProvisional: true,
      asked: FIRST_PAGE,
    })
    expect(page?.total).toBe(MANY_ROWS.length)
  })

  it('reads a document again that was rewritten since, though nobody has told of it', async () => {
    const write = (rows: unknown[]) => writeFile(join(folder, 'session-document.json'), document(rows))
    await write(MANY_ROWS)
    const reader = new SessionAnswerer()
    const at = await place('session-document.json')
    expect(await shownOutput(reader, at, 1)).toBe(`1 ${OUTPUT}`)
    await write([row(0), row(1, `other ${OUTPUT}`), ...MANY_ROWS.slice(1)])
    expect(await shownOutput(reader, at, 1)).toBe(`other ${OUTPUT}`)
    expect(await shownOutput(reader, at, 0)).toBe(`0 ${OUTPUT}`)
  })

  it('goes on with a log that grew under the same answer, and begins anew with another file in its place', async () => {
    const path = join(folder, 'session-log.jsonl')
    await writeFile(path, line(METADATA) + line(row(1)))
    const reader = new SessionAnswerer()
    const at = await place('session-log.jsonl')
    expect(await shownOutput(reader, at, 1)).toBe(`1 ${OUTPUT}`)
    await appendFile(path, line(row(2)))
    expect(await shownOutput(reader, at, 1)).toBe(`1 ${OUTPUT}`)
    expect(await shownOutput(reader, await place('session-log.jsonl'), 2)).toBe(`2 ${OUTPUT}`)
    const before = await readFile(path, 'utf8')
    await writeFile(path, before.replaceAll('a line of the output', 'no line of the output'))
    expect(await shownOutput(reader, at, 2)).toContain('2 no line of the output')
  })

  it('says that a session is gone with its file', async () => {
    await writeFile(join(folder, 'session-log.jsonl'), line(METADATA) + line(row(1)))
    const reader = new SessionAnswerer()
    const at = await place('session-log.jsonl')
    expect(await shownOutput(reader, at, 1)).toBe(`1 ${OUTPUT}`)
    await rm(join(folder, 'session-log.jsonl'))
    expect(await reader.answer('messages', { ...at, asked: FIRST_PAGE })).toBeNull()
  })
})
