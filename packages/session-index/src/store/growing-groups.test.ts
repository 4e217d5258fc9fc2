import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { GrowingSessionGroup, readSessionGroup } from 'gemini-sessions/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arbitraryLog } from '../../../gemini-sessions/test/arbitrary-log.ts'
import { makeShard } from '../../test/make-shard.ts'
import { searchRequest } from '../../test/search-request.ts'
import { storedRows } from '../../test/stored-rows.ts'
import type { IndexGroup } from '../contract.ts'
import type { IndexTree } from '../query/tree.ts'
import type { Shard } from '../shard/shard.ts'
import { unpackHome } from './unpack-home.ts'

/** A change of the file between two readings. Places are in thousandths. */
type Change =
  | { kind: 'append'; bytes: number }
  | { kind: 'write into'; place: number }
  | { kind: 'truncate'; place: number }
  | { kind: 'rewrite'; log: string }
  | { kind: 'replace'; log: string }

const place = fc.nat(999)
const arbitraryChange: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('append' as const), bytes: fc.integer({ min: 1, max: 600 }) }),
  },
  fc.record({ kind: fc.constant('write into' as const), place }),
  fc.record({ kind: fc.constant('truncate' as const), place }),
  fc.record({ kind: fc.constant('rewrite' as const), log: arbitraryLog.map(({ text }) => text) }),
  fc.record({ kind: fc.constant('replace' as const), log: arbitraryLog.map(({ text }) => text) }),
)

describe('a group that is read on', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-growing-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** A separate file for each test: a timed-out one may still be writing. */
  const newPath = () => join(mkdtempSync(join(folder, 'test-')), 'session-2026-11-21T20-28-4363c94e.jsonl')
  const groupNow = (path: string, fingerprint: string): IndexGroup => {
    const { size, mtimeMs, mtimeNs, ino } = statSync(path, { bigint: true })
    const name = 'tmp/webshop/chats/session-2026-11-21T20-28-4363c94e.jsonl'
    const times = { mtimeMs: Number(mtimeMs), mtimeNs: String(mtimeNs), ctimeNs: String(mtimeNs) }
    const where = { home: folder, path: name, absolutePath: path, projectFolder: folder }
    return {
      id: 'g',
      fingerprint,
      files: [{ ...where, ...times, sizeBytes: Number(size), inode: String(ino) }],
    }
  }
  const shardOfFiles = (onReadOn?: () => void) =>
    makeShard(new Map(), {
      readGroup: ({ files }) => readSessionGroup(files),
      ...(onReadOn && {
        openGrowing: async () => {
          onReadOn()
          return new GrowingSessionGroup()
        },
      }),
    })

  function change(path: string, change: Change, log: string): void {
    if (change.kind === 'append') appendFileSync(path, takeBytes(path, log, change.bytes))
    else if (change.kind === 'rewrite') writeFileSync(path, change.log)
    else if (change.kind === 'replace') {
      writeFileSync(`${path}.new`, change.log)
      renameSync(`${path}.new`, path)
    } else if (change.kind === 'truncate') truncateSync(path, offsetOf(path, change.place))
    else {
      const file = openSync(path, 'r+')
      writeSync(file, 'x', offsetOf(path, change.place))
      closeSync(file)
    }
  }
  const offsetOf = (path: string, part: number) => Math.floor((statSync(path).size * part) / 1_000)
  /** The next part of a log whose beginning may already be in the file, cut anywhere. */
  const takeBytes = (path: string, log: string, bytes: number) => {
    const all = Buffer.from(log)
    const done = statSync(path).size % (all.length + 1)
    return all.subarray(done, done + bytes)
  }

  it('A3: says after any changes of its files what a fresh start says of them', async () => {
    let readingsOn = 0
    const logs = fc.record({
      log: arbitraryLog,
      changes: fc.array(arbitraryChange, { minLength: 3, maxLength: 10 }),
    })
    await fc.assert(
      fc.asyncProperty(logs, async ({ log: { text }, changes }) => {
        const path = newPath()
        writeFileSync(path, text.slice(0, text.length / 3))
        const shard = shardOfFiles(() => readingsOn++)
        await shard.index(groupNow(path, '0'))
        for (const [index, each] of changes.entries()) {
          change(path, each, text)
          const group = groupNow(path, String(index + 1))
          await shard.index(group)
          const fresh = shardOfFiles()
          await fresh.index(group)
          expect(await allThatItSays(shard), readFileSync(path, 'utf8')).toEqual(await allThatItSays(fresh))
          fresh.close()
        }
        shard.close()
      }),
      { numRuns: 60 },
    )
    expect(readingsOn).toBeGreaterThan(20)
  })

  it('A3: stores after any changes of its files the rows that a fresh start stores', async () => {
    let name = 0
    const open = (readsOn: boolean) => {
      const database = join(folder, `rows-${++name}`)
      return {
        database,
        shard: makeShard(new Map(), {
          path: database,
          readGroup: ({ files }) => readSessionGroup(files),
          ...(readsOn && { openGrowing: async () => new GrowingSessionGroup() }),
        }),
      }
    }
    const logs = fc.record({
      log: arbitraryLog,
      changes: fc.array(arbitraryChange, { minLength: 2, maxLength: 6 }),
    })
    await fc.assert(
      fc.asyncProperty(logs, async ({ log: { text }, changes }) => {
        const path = newPath()
        writeFileSync(path, text.slice(0, text.length / 3))
        const grown = open(true)
        await grown.shard.index(groupNow(path, '0'))
        for (const [index, each] of changes.entries()) {
          change(path, each, text)
          await grown.shard.index(groupNow(path, String(index + 1)))
        }
        await grown.shard.close()
        const fresh = open(false)
        await fresh.shard.index(groupNow(path, String(changes.length)))
        await fresh.shard.close()
        expect(storedRows(grown.database), readFileSync(path, 'utf8')).toEqual(storedRows(fresh.database))
      }),
      { numRuns: 30 },
    )
  })

  it('A3: marks what fails later, and prices anew what was said before', async () => {
    const line = (record: object) => `${JSON.stringify(record)}\n`
    const at = (minute: number) => ({ timestamp: `2026-11-21T20:${minute}:00.000Z` })
    const tokens = { input: 1_000_000, output: 0, cached: 0, thoughts: 0, tool: 0, total: 1_000_000 }
    const answer = { type: 'gemini', content: 'hello', model: 'gemini-2.5-flash', tokens }
    const lines = [
      { sessionId: 's', projectHash: 'p', startTime: '2026-11-21T20:28:00.000Z', kind: 'main' },
      { id: 'a', ...at(28), ...answer },
      { id: 'b', ...at(29), type: 'user', content: 'hello?' },
      { id: 'c', ...at(30), type: 'info', content: 'a notice' },
    ].map(line)
    const path = newPath()
    writeFileSync(path, lines[0] ?? '')
    const shard = shardOfFiles(() => {})
    for (const [index, text] of lines.slice(1).entries()) {
      await shard.index(groupNow(path, String(index)))
      appendFileSync(path, text)
    }
    const totalOf = async (query: string) => (await shard.find(searchRequest(query))).total
    const totalUnanswered = async () => {
      const { tree, ...request } = searchRequest('hello')
      const of: IndexTree[] = [{ kind: 'unanswered' }, ...(tree === null ? [] : [tree])]
      return (await shard.find({ ...request, tree: { kind: 'and', of } })).total
    }
    await shard.index(groupNow(path, 'unanswered'))
    expect(await totalUnanswered()).toBe(1)
    appendFileSync(path, line({ id: 'd', ...at(31), ...answer }))
    await shard.index(groupNow(path, 'answered'))
    expect(await totalUnanswered()).toBe(0)

    expect(await totalOf('cost:>1 hello')).toBe(0)
    const models = { 'gemini-2.5-flash': { inputPerMillion: 7, outputPerMillion: 7 } }
    const prices = { version: 1 as const, aliases: {}, models, plan: 'list-price' as const }
    appendFileSync(path, line({ id: 'e', ...at(32), type: 'info', content: 'another notice' }))
    await shard.index({ ...groupNow(path, 'dearer'), prices })
    expect(await totalOf('cost:>1 hello')).toBe(2)
    shard.close()
  })
})

async function allThatItSays(shard: Shard) {
  const { groups } = await unpackHome(shard.store.load())
  const fields = [
    'title',
    'prompt',
    'answer',
    'thought',
    'notice',
    'attachment',
    'tool-args',
    'tool-output',
  ] as const
  const answers: unknown[] = []
  for (const request of [
    searchRequest('', { fields: [...fields], limit: 1_000 }),
    searchRequest('is:error', { limit: 1_000 }),
    { ...searchRequest('hello'), tree: { kind: 'tools' as const, names: ['glob'] }, limit: 1_000 },
    ...['hello', 'part', 'x', 'thought'].map((word) => searchRequest(word, { limit: 1_000 })),
  ]) {
    const found = await shard.find(request)
    const hits = await shard.describe(request, found.best)
    answers.push({
      total: found.total,
      messageTotal: found.messageTotal,
      hits: hits.map((hit) => JSON.stringify(hit)).sort(),
    })
  }
  return { groups, answers }
}
