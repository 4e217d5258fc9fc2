import { foldTextOnly } from '@gemini-dash/api/fold-text'
import fc from 'fast-check'
import type { Session } from 'gemini-sessions'
import { readSessionGroup } from 'gemini-sessions/node'
import { expect, it } from 'vitest'
import { fixtureGroups } from '../../test/fixture-groups.ts'
import { makeMessage, makeSession, text } from '../../test/make-session.ts'
import { makeGroup, makeShard } from '../../test/make-shard.ts'
import { searchRequest } from '../../test/search-request.ts'
import { titlePieces } from '../store/session-texts.ts'
import { fieldPieces } from '../text.ts'
import { toSessionRecord } from '../to-session-record.ts'

const sessionOfDay = (day: number): [string, Session[]] => {
  const key = `s${day}`
  const message = makeMessage({
    key: 'm',
    content: text('a needle'),
    timestamp: `2026-03-0${day}T10:00:00.000Z`,
  })
  return [key, [makeSession(key, [message])]]
}

async function shardOfDays(...days: number[]) {
  const sessions = new Map(days.map(sessionOfDay))
  const groupsRead: string[] = []
  const readGroup = async ({ id }: { id: string }) => {
    groupsRead.push(id)
    return sessions.get(id) ?? []
  }
  const shard = makeShard(sessions, { readGroup })
  for (const key of sessions.keys()) await shard.index(makeGroup(key))
  groupsRead.length = 0
  return { shard, groupsRead }
}

const request = searchRequest('eedl', { mode: 'substring' })

it('goes through the newest sessions first and tells what it has found so far', async () => {
  const { shard, groupsRead } = await shardOfDays(2, 3, 1)
  const totals: number[] = []
  await shard.find(request, { onPartial: (found) => totals.push(found().total) })
  expect(groupsRead).toEqual(['s3', 's2', 's1'])
  expect(totals).toEqual([1, 2, 3])
})

it('stops when it is told to', async () => {
  const { shard, groupsRead } = await shardOfDays(2, 3, 1)
  const controller = new AbortController()
  await shard.find(request, { onPartial: () => controller.abort(), signal: controller.signal })
  expect(groupsRead).toEqual(['s3'])
})

it('reads nothing that the filters leave out', async () => {
  const { shard, groupsRead } = await shardOfDays(2, 3, 1)
  const since = { kind: 'after', timeMs: Date.parse('2026-03-02') } as const
  await shard.find({ ...request, tree: { kind: 'and', of: [since, { kind: 'in', fields: ['prompt'] }] } })
  expect(groupsRead).toEqual(['s3', 's2'])
  groupsRead.length = 0
  await shard.find({ ...request, tree: { kind: 'in', fields: ['title'] } })
  expect(groupsRead).toEqual([])
})

it('finds in real files what asking every message finds, whatever they spell it with', async () => {
  const groups = await fixtureGroups()
  const shard = makeShard(new Map(), { readGroup: ({ files }) => readSessionGroup(files) })
  const texts: { place: string; folded: string }[] = []
  for (const group of groups) {
    await shard.index(group)
    for (const session of await readSessionGroup(group.files)) {
      const title = titlePieces(toSessionRecord(session)).map((piece) => ({ ...piece, message: 'title' }))
      const said = session.messages.flatMap((message) =>
        fieldPieces(message).map((piece) => ({ ...piece, message: message.key })),
      )
      for (const { message, field, text } of [...title, ...said])
        texts.push({ place: `${group.id} ${session.key} ${message} ${field}`, folded: foldTextOnly(text) })
    }
  }
  const piece = fc.record({ of: fc.nat(), start: fc.nat(), length: fc.integer({ min: 1, max: 24 }) })
  await fc.assert(
    fc.asyncProperty(piece, async ({ of, start, length }) => {
      const folded = texts[of % texts.length]?.folded ?? ''
      const pattern = folded.slice(start % folded.length).slice(0, length)
      fc.pre(pattern.trim() === pattern && pattern !== '')
      const wanted = new Set(texts.filter((text) => text.folded.includes(pattern)).map(({ place }) => place))
      const { total } = await shard.find({ ...request, pattern, tree: null })
      expect(total).toBe(wanted.size)
    }),
    { numRuns: 40 },
  )
  shard.close()
})
