import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Session } from 'gemini-sessions'
import { describe, expect, it } from 'vitest'
import { makeMessage, makeSession, makeToolCall, text } from '../../test/make-session.ts'
import { makeGroup, makeShard } from '../../test/make-shard.ts'
import { naiveSearch } from '../../test/naive-search.ts'
import { type RequestParts, searchRequest } from '../../test/search-request.ts'
import type { Shard } from './shard.ts'

async function hitsOf(shard: Shard, query: string, given: RequestParts = {}) {
  const request = searchRequest(query, { limit: 1_000, ...given })
  const found = await shard.find(request)
  return { found, hits: await shard.describe(request, found.best) }
}

async function shardOf(...sessions: Session[]): Promise<Shard> {
  const shard = makeShard(new Map(sessions.map((session) => [session.key, [session]])))
  for (const session of sessions) await shard.index(makeGroup(session.key))
  return shard
}

const conversation = makeSession('s1', [
  makeMessage({ key: 'p1', content: text('Fix the frame buffer'), timestamp: '2026-03-01T10:00:00.000Z' }),
  makeMessage({
    key: 'a1',
    type: 'gemini',
    timestamp: '2026-03-01T10:01:00.000Z',
    content: text('The frame is fixed.'),
    toolCalls: [
      makeToolCall({ args: { command: 'npm test' }, output: { kind: 'text', text: 'needle: 3 passed' } }),
    ],
  }),
  makeMessage({ key: 'p2', content: text('Undo the buffer'), superseded: 'rewound', timestamp: null }),
])

describe('Shard', () => {
  it('finds a word in a tool output and shows where', async () => {
    const shard = await shardOf(conversation)
    const { found, hits } = await hitsOf(shard, 'needle')
    expect(found).toMatchObject({ total: 1, messageTotal: 1, bySession: { keys: ['s1'], hits: [1] } })
    expect(hits).toEqual([
      {
        sessionKey: 's1',
        messageKey: 'a1',
        messageId: 'a1',
        field: 'tool-output',
        snippet: 'needle: 3 passed',
        ranges: [[0, 6]],
        timestamp: '2026-03-01T10:01:00.000Z',
        toolName: 'run_shell_command',
        superseded: false,
      },
    ])
  })

  it('wants all words within one message, across its fields, and gives one hit a field', async () => {
    const shard = await shardOf(conversation)
    const { hits } = await hitsOf(shard, 'frame needle')
    expect(hits.map(({ messageKey, field }) => [messageKey, field])).toEqual([
      ['a1', 'answer'],
      ['a1', 'tool-output'],
    ])
    expect((await hitsOf(shard, 'undo frame')).hits).toEqual([])
    expect((await hitsOf(shard, 'frame needle', { fields: ['answer'] })).hits).toEqual([])
  })

  it('lists the newest first, takes the time of the message before where none is recorded, and marks superseded ones', async () => {
    const shard = await shardOf(conversation)
    const { hits } = await hitsOf(shard, 'the')
    expect(hits.map(({ messageKey, superseded }) => [messageKey, superseded])).toEqual([
      ['p2', true],
      ['a1', false],
      ['p1', false],
    ])
    expect(hits[0]?.timestamp).toBeNull()
  })

  it('filters by session and by the time at which something was said', async () => {
    const other = makeSession('s2', [makeMessage({ key: 'x', content: text('the other') })])
    const shard = await shardOf(conversation, other)
    const keys = async (given: RequestParts) =>
      (await hitsOf(shard, 'the', given)).hits.map(({ messageKey }) => messageKey)
    expect(await keys({ sessionKeys: ['s2'] })).toEqual(['x'])
    expect(await keys({ sessionKeys: [] })).toEqual([])
    expect(await keys({ sessionKeys: ['s1'], to: '2026-03-01T10:01:00.000Z' })).toEqual(['p1'])
    expect(await keys({ sessionKeys: ['s1'], from: '2026-03-01T10:00:30.000Z' })).toEqual(['p2', 'a1'])
  })

  it('finds a session by its id, by the first part of it, and by its summary', async () => {
    const id = '3e7a7b68-baf0-4b05-8f68-831b75a33ca5'
    const shard = await shardOf(
      makeSession('s1', conversation.messages, { sessionId: id, summary: 'Buffers explained' }),
    )
    for (const query of [id, '3e7a7b68', 'explained']) {
      const { found, hits } = await hitsOf(shard, query)
      expect(hits.map(({ field, messageKey }) => [field, messageKey])).toEqual([['title', null]])
      expect(found.messageTotal).toBe(0)
    }
  })

  it('N1: finds text in the middle of a long output in every mode', async () => {
    const output = { kind: 'text', text: `${'x '.repeat(20_000)}deepNeedle${' y'.repeat(20_000)}` } as const
    const shard = await shardOf(
      makeSession('s1', [makeMessage({ key: 'a', type: 'gemini', toolCalls: [makeToolCall({ output })] })]),
    )
    for (const [mode, query] of [
      ['words', 'deepneedle'],
      ['substring', 'EPNEED'],
      ['regex', 'deepN\\w+'],
    ] as const) {
      const { hits } = await hitsOf(shard, query, { mode })
      expect(hits.map(({ field }) => field)).toEqual(['tool-output'])
      expect(hits[0]?.ranges).toHaveLength(1)
    }
  })

  it('R32: ranks by what the words are in, then by how many of them, then the newest', async () => {
    const args = { command: 'needle' }
    const output = { kind: 'text', text: 'needle' } as const
    const at = (day: number) => ({ timestamp: `2026-02-0${day}T10:00:00.000Z` })
    const shard = await shardOf(
      makeSession('s1', [
        makeMessage({ key: 'old', content: text('needle '.repeat(9)), ...at(1) }),
        makeMessage({ key: 'both', content: text('thread, then needle'), ...at(2) }),
        makeMessage({ key: 'new', type: 'gemini', content: text('needle'), ...at(3) }),
        makeMessage({ key: 'tool', type: 'gemini', toolCalls: [makeToolCall({ args, output })], ...at(4) }),
      ]),
    )
    const { hits } = await hitsOf(shard, 'needle OR thread', { sort: 'relevance' })
    expect(hits.map(({ messageKey, field }) => `${messageKey} ${field}`)).toEqual([
      ...['both prompt', 'new answer', 'old prompt', 'tool tool-args', 'tool tool-output'],
    ])
  })

  it('goes on behind a hit, whatever came and went before it', async () => {
    const said = (key: string, day: number) =>
      makeSession(key, [
        makeMessage({ key, content: text('needle'), timestamp: `2026-02-0${day}T10:00:00.000Z` }),
      ])
    const sessions = new Map([1, 2, 3].map((day) => [`s${day}`, [said(`s${day}`, day)]]))
    const shard = makeShard(sessions)
    for (const id of sessions.keys()) await shard.index(makeGroup(id))
    for (const sort of ['recent', 'relevance'] as const) {
      const first = await shard.find(searchRequest('needle', { sort, limit: 1 }))
      const [after] = first.best.slice(0, 1)
      await shard.remove(['s3'])
      sessions.set('s4', [said('s4', 4)])
      await shard.index(makeGroup('s4'))
      const next = await shard.find(searchRequest('needle', { sort, ...(after && { after }) }))
      expect(next.best.map(({ sessionKey }) => sessionKey)).toEqual(['s2', 's1'])
      await shard.remove(['s4'])
      await shard.index(makeGroup('s3'))
    }
  })

  it('R32: has copies of a session in two groups in an order that does not depend on which was read first', async () => {
    const copy = makeSession('s1', [makeMessage({ key: 'p', content: text('needle') })])
    const groups = async (...ids: string[]) => {
      const shard = makeShard(new Map(ids.map((id) => [id, [copy]])))
      for (const id of ids) await shard.index(makeGroup(id))
      return (await shard.find(searchRequest('needle'))).best.map(({ groupId }) => groupId)
    }
    expect(await groups('a', 'b')).toEqual(['a', 'b'])
    expect(await groups('b', 'a')).toEqual(['a', 'b'])
  })

  it('follows a session that grows, changes and loses messages', async () => {
    const sessions = new Map<string, Session[]>()
    const shard = makeShard(sessions)
    const put = async (...words: string[]) => {
      sessions.set('g', [
        makeSession(
          's1',
          words.map((word) => makeMessage({ key: word[0] ?? '', content: text(word) })),
        ),
      ])
      await shard.index(makeGroup('g', words.join()))
    }
    const found = async (query: string) => (await hitsOf(shard, query)).hits.map(({ snippet }) => snippet)
    await put('apple', 'berry')
    await put('apple', 'berry', 'cherry')
    expect(await found('cherry')).toEqual(['cherry'])
    await put('avocado', 'cherry')
    expect(await found('apple')).toEqual([])
    expect(await found('berry')).toEqual([])
    expect(await found('avocado')).toEqual(['avocado'])
    expect(await found('cherry')).toEqual(['cherry'])
    await shard.remove(['g'])
    expect(await found('cherry')).toEqual([])
    expect(shard.store.load().groups).toEqual([])
  })

  it('tells what it lost when it has to leave its file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'shard-'))
    const lost: string[] = []
    const shard = makeShard(new Map([['g', [conversation]]]), {
      path: join(folder, 'shard.db'),
      onLost: (groupIds) => lost.push(...groupIds),
    })
    await shard.index(makeGroup('g'))
    shard.leaveDisk()
    expect(lost).toEqual(['g'])
    expect(shard.store.held()).toEqual([])
    expect((await hitsOf(shard, 'needle')).hits).toEqual([])
    await shard.index(makeGroup('g'))
    expect((await hitsOf(shard, 'needle')).hits).toHaveLength(1)
    shard.close()
    rmSync(folder, { recursive: true })
  })

  it.each(['before', 'after'])(
    'R41: writes nothing to a file that another process took %s it began to write, and goes on in memory',
    async (moment) => {
      const folder = mkdtempSync(join(tmpdir(), 'shard-'))
      const [path, file] = [join(folder, 'shard.db'), join(folder, 'owner.json')]
      const give = (id: string) => writeFileSync(file, JSON.stringify({ id }))
      give('us')
      const lost: string[] = []
      const shard = makeShard(new Map([['g', [conversation]]]), {
        path,
        owner: { file, id: 'us' },
        onLost: (groupIds) => lost.push(...groupIds),
      })
      await shard.index(makeGroup('g'))
      await shard.commit()
      if (moment === 'after') await shard.remove(['g'])
      const left = readFileSync(path)
      give('another')
      if (moment === 'after') await shard.commit()
      await shard.index(makeGroup('g', 'later'))
      await shard.commit()
      expect(readFileSync(path).equals(left)).toBe(true)
      expect(lost).toEqual(moment === 'before' ? ['g'] : [])
      expect(shard.store.held()).toEqual([['g', 'later']])
      expect((await hitsOf(shard, 'needle')).hits).toHaveLength(1)
      await shard.close()
      rmSync(folder, { recursive: true })
    },
  )

  it('reports a group that cannot be read, and goes on', async () => {
    const shard = makeShard(new Map(), {
      readGroup: async () => {
        throw new Error('The disk is on fire.')
      },
    })
    expect(await shard.index(makeGroup('g'))).toMatchObject({ sessions: [], failure: 'The disk is on fire.' })
  })

  it('finds exactly what a naive scan finds, also after sessions have grown', async () => {
    const words = [
      'alpha',
      'Béta',
      'get_value',
      'foo.bar()',
      'a/b.ts',
      '中文',
      '文字',
      'テスト',
      '42',
      '—',
      'x',
    ]
    const phrase = fc.array(fc.constantFrom(...words), { maxLength: 5 }).map((list) => list.join(' '))
    const message = fc.record({ prompt: phrase, thought: phrase, output: phrase, args: phrase })
    const session = fc.array(message, { maxLength: 4 })
    const query = fc
      .array(fc.constantFrom(...words, 'value', 'foo', '中', 'beta', 'alpha béta'), {
        minLength: 1,
        maxLength: 3,
      })
      .filter((phrases) => phrases.some((one) => one !== '—'))
    await fc.assert(
      fc.asyncProperty(
        fc.array(session, { minLength: 1, maxLength: 3 }),
        fc.array(query),
        async (drawn, queries) => {
          const sessions = drawn.map((messages, index) =>
            makeSession(`s${index}`, messages.map(generatedMessage)),
          )
          const emptied = sessions.map((one) => ({ ...one, messages: one.messages.slice(0, 1) }))
          const onDisk = new Map(emptied.map((one) => [one.key, [one]]))
          const shard = makeShard(onDisk)
          for (const key of onDisk.keys()) await shard.index(makeGroup(key, 'before'))
          for (const one of sessions) {
            onDisk.set(one.key, [one])
            await shard.index(makeGroup(one.key, 'after'))
          }
          for (const phrases of queries) {
            const { hits, found } = await hitsOf(shard, phrases.map((one) => `"${one}"`).join(' '))
            const expected = naiveSearch(
              sessions,
              phrases.filter((one) => one !== '—'),
            )
            expect(sorted(hits)).toEqual(sorted(expected))
            expect(found.total).toBe(expected.length)
            for (const hit of hits) expect(hit.ranges).not.toEqual([])
          }
          shard.close()
        },
      ),
      { numRuns: 60 },
    )
  })
})

interface Generated {
  prompt: string
  thought: string
  output: string
  args: string
}

function generatedMessage({ prompt, thought, output, args }: Generated, index: number) {
  return makeMessage({
    key: `m${index}`,
    content: text(prompt),
    thoughts: [{ subject: thought, description: output, timestamp: null }],
    toolCalls: [makeToolCall({ args: { args }, output: { kind: 'text', text: output } })],
  })
}

function sorted(hits: { sessionKey: string; messageKey: string | null; field: string }[]): string[] {
  return hits.map(({ sessionKey, messageKey, field }) => `${sessionKey} ${messageKey} ${field}`).sort()
}
