import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSessionGroup } from 'gemini-sessions/node'
import { afterAll, describe, expect, it } from 'vitest'
import { fixtureGroups } from '../../test/fixture-groups.ts'
import { makeShard } from '../../test/make-shard.ts'
import { searchRequest } from '../../test/search-request.ts'
import { MessageReader } from './message-reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'message-reader-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileOf(name: string, content: string) {
  const absolutePath = join(folder, name)
  writeFileSync(absolutePath, content)
  const { size, mtimeMs } = statSync(absolutePath)
  const place = { home: folder, path: name, absolutePath, projectFolder: folder }
  return { ...place, sizeBytes: size, mtimeMs, mtimeNs: '0', ctimeNs: '0', inode: '0' }
}

const header = { sessionId: 's', projectHash: 'p', startTime: '2026-03-01T10:00:00.000Z', lastUpdated: '' }
const rows = ['first', 'second é', 'third'].map((content, index) => ({
  id: `m${index}`,
  timestamp: '2026-03-01T10:00:00.000Z',
  type: 'user',
  content: `${content}\n    {"brace`,
}))
const textOf = (message: ReturnType<MessageReader['read']>) =>
  message?.content.map((part) => (part.kind === 'text' ? part.text : ''))

describe('MessageReader', () => {
  it('reads a line of a log and an element of a document by their place', () => {
    const reader = new MessageReader()
    const log = fileOf('a.jsonl', [header, ...rows].map((row) => `${JSON.stringify(row)}\n`).join(''))
    expect(textOf(reader.read(log, 3))).toEqual(['second é\n    {"brace'])
    const pretty = fileOf('a.json', JSON.stringify({ ...header, messages: rows }, null, 2))
    expect(textOf(reader.read(pretty, ~2))).toEqual(['third\n    {"brace'])
  })

  it('sees that a file has changed since it last looked', () => {
    const reader = new MessageReader()
    const write = (count: number) =>
      fileOf('b.jsonl', [header, ...rows.slice(0, count)].map((row) => `${JSON.stringify(row)}\n`).join(''))
    expect(reader.read(write(1), 3)).toBeNull()
    expect(textOf(reader.read(write(3), 4))).toEqual(['third\n    {"brace'])
  })

  it('knows nothing of records that are not where they should be', () => {
    const reader = new MessageReader()
    const compact = fileOf('c.json', JSON.stringify({ ...header, messages: rows }))
    expect(reader.read(compact, ~0)).toBeNull()
    expect(reader.read(compact, 7)).toBeNull()
    expect(reader.read({ ...compact, absolutePath: join(folder, 'gone.json') }, ~0)).toBeNull()
  })

  it('reads far past the first bytes', () => {
    const long = { ...rows[0], content: 'x'.repeat(3_000_000) }
    const messages = [long, ...rows]
    const reader = new MessageReader()
    const pretty = fileOf('d.json', JSON.stringify({ ...header, messages }, null, 2))
    expect(textOf(reader.read(pretty, ~3))).toEqual(['third\n    {"brace'])
    const log = fileOf('d.jsonl', [header, ...messages].map((row) => `${JSON.stringify(row)}\n`).join(''))
    expect(textOf(reader.read(log, 5))).toEqual(['third\n    {"brace'])
  })

  it('makes no difference to the hits of any home', async () => {
    const groups = await fixtureGroups()
    const files = new Map(groups.map((group) => [group.id, group.files]))
    let groupsRead = 0
    const readGroup = ({ id }: { id: string }) => {
      groupsRead += 1
      return readSessionGroup(files.get(id) ?? [])
    }
    const hits = []
    for (const known of [groups, groups.map((group) => ({ ...group, files: [] }))]) {
      const shard = makeShard(new Map(), { readGroup })
      for (const group of known) await shard.index(group)
      groupsRead = 0
      const request = searchRequest('the', { limit: 1_000 })
      const found = await shard.find(request)
      hits.push({ hits: await shard.describe(request, found.best), groupsRead })
      shard.close()
    }
    expect(hits[0]?.hits.length).toBeGreaterThan(100)
    expect(hits[0]?.hits).toEqual(hits[1]?.hits)
    expect(hits[0]?.groupsRead).toBeLessThan((hits[1]?.groupsRead ?? 0) / 2)
  })
})
