import { expect, it } from 'vitest'
import { makeMessage, makeSession, text } from '../../test/make-session.ts'
import { makeGroup, makeShard } from '../../test/make-shard.ts'
import { searchRequest } from '../../test/search-request.ts'
import type { ScanPosition } from '../contract.ts'
import { regexMatcher } from '../match/regex-matcher.ts'
import { OutOfTime, SearchClock } from '../match/search-clock.ts'

/** Two sessions with three messages each; the third of each has no needle. */
async function makeHaystack() {
  const sessions = new Map(
    ['s1', 's2'].map((key, day) => [
      key,
      [
        makeSession(
          key,
          ['a needle', 'one more needle', 'hay'].map((said, at) =>
            makeMessage({
              key: `m${at}`,
              content: text(said),
              timestamp: `2026-03-0${day + 1}T10:00:0${at}.000Z`,
            }),
          ),
        ),
      ],
    ]),
  )
  const shard = makeShard(sessions)
  for (const key of sessions.keys()) await shard.index(makeGroup(key))
  return shard
}

const request = searchRequest('needle', { mode: 'substring', fields: ['prompt', 'answer'] })

it('a scan whose time is over has looked at one message, and goes on behind it: each hit comes once', async () => {
  const shard = await makeHaystack()
  const found: string[] = []
  let parts = 0
  let continueAt: ScanPosition[] | undefined
  do {
    const { best, scan } = await shard.find({ ...request, ...(continueAt && { continueAt }), limitMs: 0 })
    found.push(...best.map(({ sessionKey, place }) => `${sessionKey} ${place}`))
    parts += 1
    continueAt = scan?.continueAt ? [scan.continueAt] : undefined
  } while (continueAt !== undefined && parts < 20)
  expect(found).toEqual(['s2 0', 's2 1', 's1 0', 's1 1'])
  expect(parts).toBe(6)
})

it('the same part is found again between its two ends, however much time there is', async () => {
  const shard = await makeHaystack()
  const first = await shard.find({ ...request, limitMs: 0 })
  const second = await shard.find({ ...request, continueAt: [end(first)], limitMs: 0 })
  const again = await shard.find({ ...request, continueAt: [end(first)], endAt: [end(second)] })
  expect(again.best).toEqual(second.best)
  expect(again.scan?.continueAt).toEqual(end(second))
})

it('a session that is written meanwhile is not gone into again, and none behind it is missed', async () => {
  const sessions = new Map(['s1', 's2'].map((key, day) => [key, [dated(key, day + 1)]]))
  const shard = makeShard(sessions)
  for (const key of sessions.keys()) await shard.index(makeGroup(key))
  const first = await shard.find({ ...request, limitMs: 0 })
  sessions.set('s3', [dated('s3', 3)])
  await shard.index(makeGroup('s3'))
  const rest = await shard.find({ ...request, continueAt: [end(first)] })
  expect(rest.best.map(({ sessionKey }) => sessionKey)).toEqual(['s1'])
})

it('a message on which the pattern takes too long is left out, counted, and the rest is searched', async () => {
  const long = 'ab'.repeat(4_000)
  const sessions = new Map([
    ['s1', [makeSession('s1', [messageOf('m0', `${long}z`), messageOf('m1', 'abz')])]],
  ])
  const shard = makeShard(sessions)
  await shard.index(makeGroup('s1'))
  const found = await shard.find(searchRequest('(ab)+z', { mode: 'regex', fields: ['prompt'] }), {
    clock: Object.assign(new SearchClock(60_000), {
      check: () => {
        throw new OutOfTime()
      },
    }),
  })
  expect(found.best.map(({ place }) => place)).toEqual([1])
  expect(found.scan).toMatchObject({ messagesLeftOut: 1, continueAt: null })
})

it('an expression looks at the clock within a long text, and finds what it finds without one', () => {
  const text = `${'ab'.repeat(4_000)}z 😀 abz`
  let looks = 0
  const watched = regexMatcher('(ab)+z', () => {
    looks += 1
  })
  const plain = regexMatcher('(ab)+z')
  if ('problem' in watched || 'problem' in plain) throw new Error('no pattern')
  expect(watched.ranges(text, 10)).toEqual(plain.ranges(text, 10))
  expect([watched.isIn(text), watched.isIn('a'.repeat(2_000))]).toEqual([true, false])
  expect(looks).toBeGreaterThan(5)
})

function end({ scan }: { scan: { continueAt: ScanPosition | null } | null }): ScanPosition | null {
  return scan?.continueAt ?? null
}

function dated(key: string, day: number) {
  const timestamp = `2026-03-0${day}T10:00:00.000Z`
  return makeSession(key, [makeMessage({ key: 'm', content: text('a needle'), timestamp })])
}

function messageOf(key: string, said: string) {
  return makeMessage({ key, content: text(said), timestamp: '2026-03-01T10:00:00.000Z' })
}
