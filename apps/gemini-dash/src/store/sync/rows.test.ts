import fc from 'fast-check'
import type { DiscoveredFile } from 'gemini-sessions/node'
import { describe, expect, it } from 'vitest'
import { recordFixture } from '../../../test/record-fixture.ts'
import { Rows } from './rows.ts'

const FOLDER = '/home/mia/.gemini/tmp/webshop'

function file(name: string): DiscoveredFile {
  const path = `tmp/webshop/chats/${name}`
  return {
    home: '/home/mia/.gemini',
    path,
    absolutePath: `/home/mia/.gemini/${path}`,
    projectFolder: FOLDER,
    sizeBytes: 1,
    mtimeMs: 0,
    mtimeNs: '0',
    ctimeNs: '0',
    inode: '1',
  }
}

const group = (id: string, name = `${id}.jsonl`) => ({ id, fingerprint: 'f', files: [file(name)] })

function rows(): Rows {
  const filled = new Rows()
  filled.setProjects([
    {
      key: 'p',
      name: 'webshop',
      nameSource: 'path',
      path: '/code/webshop',
      pathSource: 'marker',
      candidates: [],
      folders: [FOLDER],
      projectHash: null,
      hashes: [],
    },
  ])
  return filled
}

describe('the rows', () => {
  it('gives each session its project and its place among the others', () => {
    const filled = rows()
    filled.put(group('a'), [recordFixture({ key: 'parent', sessionId: 's1' })])
    filled.put(group('b'), [
      recordFixture({ key: 'child', sessionId: 's2', kind: 'subagent' }, { parentSessionId: 's1' }),
    ])
    const sessions = filled.sessions()
    expect(sessions.get('parent')?.summary).toMatchObject({
      project: { key: 'p', name: 'webshop' },
      subagentKeys: ['child'],
      withSubagents: { usage: { total: 220 } },
    })
    expect(sessions.get('child')?.summary.parentKey).toBe('parent')
  })

  it('lets a key that was sent early go on to mean the first session of its group', () => {
    const filled = rows()
    filled.put(group('a'), [recordFixture({ key: 'early', indexed: 'head' })])
    filled.put(group('a'), [recordFixture({ key: 'one' }), recordFixture({ key: 'two' })])
    expect(filled.sessions().get('one')?.ownKeys).toContain('early')
    expect([...filled.sessions().keys()].sort()).toEqual(['one', 'two'])
  })

  it('I2: does not lead with the key of a session that is gone to another one of its group', () => {
    const filled = rows()
    filled.put(group('a'), [recordFixture({ key: 'one' }), recordFixture({ key: 'two' })])
    filled.put(group('a'), [recordFixture({ key: 'one' })])
    expect(filled.sessions().get('one')?.ownKeys).not.toContain('two')
  })

  it('tells equal keys apart by path, and never lets a damaged file take a healthy one’s key', () => {
    const filled = rows()
    const place = (path: string, role: 'current' | 'damaged') => ({
      files: [{ home: '/h', path, sizeBytes: 1, format: 'json' as const, role }],
    })
    filled.put(group('x'), [recordFixture({ key: 'same', title: 'damaged', ...place('a.json', 'damaged') })])
    filled.put(group('y'), [recordFixture({ key: 'same', title: 'later', ...place('c.json', 'current') })])
    filled.put(group('z'), [recordFixture({ key: 'same', title: 'first', ...place('b.json', 'current') })])
    const titles = [...filled.sessions()].map(([key, { summary }]) => [key, summary.title])
    expect(titles).toEqual([
      ['same', 'first'],
      ['same~2', 'later'],
      ['same~3', 'damaged'],
    ])
  })

  it('forgets a group with its files', () => {
    const filled = rows()
    filled.put(group('a'), [recordFixture({ key: 'one' })])
    expect(filled.groupOfFile(file('a.jsonl').absolutePath)).toBe('a')
    filled.remove('a')
    expect(filled.sessions().size).toBe(0)
    expect(filled.groupOfFile(file('a.jsonl').absolutePath)).toBeUndefined()
  })

  it('is the same whether rows are asked for after each change or only at the end', () => {
    const time = fc.integer({ min: 0, max: 9 }).map((minute) => `2026-11-20T10:0${minute}:00.000Z`)
    const change = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      key: fc.constantFrom('k1', 'k2', 'k3'),
      sessionId: fc.constantFrom('s1', 's2', 's3'),
      parentSessionId: fc.constantFrom(null, null, 's1', 's2'),
      startTime: time,
      endTime: time,
      title: fc.constantFrom('one', 'two'),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const asked = rows()
        const unasked = rows()
        for (const { name, parentSessionId, ...fields } of changes) {
          const kind = parentSessionId === null ? 'main' : 'subagent'
          const record = () => recordFixture({ ...fields, kind }, { parentSessionId })
          asked.put(group(name), [record()])
          asked.sessions()
          unasked.put(group(name), [record()])
        }
        expect([...asked.sessions()]).toEqual([...unasked.sessions()])
      }),
    )
  })
})
