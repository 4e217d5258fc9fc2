import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Message, sumUsage } from 'gemini-sessions'
import { readSessionGroup } from 'gemini-sessions/node'
import { afterAll, describe, expect, it } from 'vitest'
import { FIXTURE_HOMES, fixtureGroups } from '../../test/fixture-groups.ts'
import { makeMessage, makeSession, makeToolCall } from '../../test/make-session.ts'
import { makeGroup, makeShard } from '../../test/make-shard.ts'
import { storedRows } from '../../test/stored-rows.ts'
import type { IndexGroup, TextCut } from '../contract.ts'
import type { SqlRow } from '../driver.ts'
import { checksumOf, unpackMessage } from './message-table.ts'

const CONFORMANCE = fileURLToPath(new URL('../../../../fixtures/sessions/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'message-rows-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let shards = 0
async function indexed(groups: readonly IndexGroup[], given: Parameters<typeof makeShard>[1] = {}) {
  const path = join(folder, `shard-${++shards}`)
  const shard = makeShard(new Map(), { path, readGroup: ({ files }) => readSessionGroup(files), ...given })
  for (const group of groups) await shard.index(group)
  await shard.commit()
  return { path, shard }
}

describe('rows of messages', () => {
  it.each([
    ['homes of real CLIs', FIXTURE_HOMES, ''],
    ['the conformance set', CONFORMANCE, 'home'],
  ])('say all that is read of %s, but for what is marked as cut', async (_, homes, below) => {
    let records = 0
    for (const group of await fixtureGroups(homes, below)) {
      const { path, shard } = await indexed([group])
      const rows = storedRows(path)
      const sessions = await readSessionGroup(group.files)
      const messages = sessions.flatMap(({ key, messages }) => messages.map((message) => ({ key, message })))
      expect(rows.messages).toHaveLength(messages.length)
      for (const { key, message } of messages) {
        const row = rows.messages.find((each) => each.session_key === key && each.key === message.key)
        const stored = filled(messageOf(group, row), readCuts(row?.cuts), message)
        expect(stored).toEqual(message)
        // the same bytes in an answer, wherever it was read
        expect(JSON.stringify(stored)).toBe(JSON.stringify(message))
        records += recordIsOf(group, message, row) ? 1 : 0
      }
      expect(rows.calls.map(({ name, status }) => [name, status])).toEqual(
        bySession(sessions).flatMap(({ messages }) =>
          messages.flatMap(({ toolCalls }) => toolCalls.map(({ name, status }) => [name, status])),
        ),
      )
      expect(rows.orphans).toEqual([])
      await shard.close()
    }
    expect(records).toBeGreaterThan(100)
  })

  it('add up to what the sessions spent', async () => {
    const groups = await fixtureGroups()
    const { path, shard } = await indexed(groups)
    const { spend } = storedRows(path)
    const sessions = (await Promise.all(groups.map(({ files }) => readSessionGroup(files)))).flat()
    const usage = sumUsage(sessions.flatMap(({ messages }) => messages))
    const sum = (name: string) => spend.reduce((total, row) => total + Number(row[name]), 0)
    expect({ calls: sum('requests'), input: sum('input'), output: sum('output') }).toEqual({
      calls: usage.calls,
      input: usage.input,
      output: usage.output,
    })
    expect(usage.calls).toBeGreaterThan(20)
    await shard.close()
  })

  it('hold the beginning of what is long, of lists too, and never half a character', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => [{ text: `line ${index}` }])
    const message = makeMessage({
      key: 'long',
      content: [{ kind: 'text', text: `${'a'.repeat(127)}${'😀'.repeat(1_000)}` }],
      toolCalls: [makeToolCall({ display: { kind: 'ansi', lines } as never })],
    })
    const sessions = new Map([['g', [makeSession('s', [message, makeMessage({ key: 'short' })])]]])
    const path = join(folder, 'long')
    const shard = makeShard(sessions, { path })
    await shard.index(makeGroup('g'))
    await shard.commit()
    const [long, short] = storedRows(path).messages
    const stored = JSON.parse(String(long?.body))
    expect(stored.content[0].text).toBe('a'.repeat(127))
    expect(stored.toolCalls[0].display.lines).toEqual(lines.slice(0, 8))
    expect(readCuts(long?.cuts).map(([at, length]) => [at.join('.'), length])).toEqual([
      ['content.0.text', 2_127],
      ['toolCalls.0.display.lines', 100],
    ])
    expect(short?.cuts).toBeNull()
    await shard.close()
  })
})

function bySession<Session extends { key: string }>(sessions: readonly Session[]): Session[] {
  return [...sessions].sort((one, other) => (one.key < other.key ? -1 : 1))
}

function readCuts(json: unknown): TextCut[] {
  return json === null ? [] : JSON.parse(String(json))
}

function messageOf(group: IndexGroup, row: SqlRow | undefined): Message | undefined {
  if (row === undefined) return undefined
  return unpackMessage(row, row.file === null ? undefined : group.files[Number(row.file)]?.path)
}

/** The stored message with its cut values restored from the whole one if their marks match. */
function filled(stored: unknown, cuts: readonly TextCut[], whole: Message): unknown {
  for (const [path, length, checksum] of cuts) {
    const value = path.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], whole)
    const isIt = (typeof value === 'string' || Array.isArray(value)) && value.length === length
    if (!isIt || checksumOf(value) !== checksum) continue
    const parent = path
      .slice(0, -1)
      .reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], stored)
    ;(parent as Record<string, unknown>)[path.at(-1) ?? ''] = value
  }
  return stored
}

/** true: the row has the position of the record, which is the one of the message. */
function recordIsOf(group: IndexGroup, { id }: Message, row: Record<string, unknown> | undefined): boolean {
  if (row === undefined || row.record_start === null || row.file === null) return false
  const bytes = readFileSync(group.files[Number(row.file)]?.absolutePath ?? '')
  const text = bytes.toString('utf8', Number(row.record_start), Number(row.record_end))
  return text.includes(JSON.stringify(id))
}
