import type { Session } from 'gemini-sessions'
import { describe, expect, test } from 'vitest'
import { makeMessage, makeSession, text } from '../../test/make-session.ts'
import { makeGroup, makeShard } from '../../test/make-shard.ts'
import { searchRequest } from '../../test/search-request.ts'
import type { IndexSearchRequest, ScanPosition } from '../contract.ts'
import { regexMatcher } from '../match/regex-matcher.ts'
import { SearchClock } from '../match/search-clock.ts'

/** No automaton for it stays small, and each character of a text without a period costs all of its states. */
const SLOW = '(?:.{1,300}x){3}Q'
const SLOW_TEXT = withoutPeriod(2_000_000)
/** More than any test here takes. Without a limit, the slow pattern takes minutes longer. */
const LONG_MS = 120_000

const messageAt = (key: string, day: number, minute: number, content: string) =>
  makeMessage({
    key,
    content: text(content),
    timestamp: `2026-03-${String(day).padStart(2, '0')}T10:${String(minute).padStart(2, '0')}:00.000Z`,
  })

async function shardOf(sessions: Map<string, Session[]>, delayMs = 0) {
  const readGroup = async ({ id }: { id: string }) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    return sessions.get(id) ?? []
  }
  const shard = makeShard(sessions, { readGroup })
  for (const key of sessions.keys()) await shard.index(makeGroup(key))
  return shard
}

/** Letters in an order that never repeats, many of them an x. */
function withoutPeriod(length: number): string {
  let state = 7
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return 'xabcxdef'.charAt(state >>> 29)
  }).join('')
}

/** Continues a search until it is complete, with a limit each time, and combines the answers. */
async function searchOn(
  shard: Awaited<ReturnType<typeof shardOf>>,
  request: IndexSearchRequest,
  startClock?: () => SearchClock,
) {
  const answers = []
  let continueAt: (ScanPosition | null)[] | undefined
  for (;;) {
    const { total, best, scan } = await shard.find(
      { ...request, ...(continueAt && { continueAt }) },
      { ...(startClock && { clock: startClock() }) },
    )
    answers.push({ total, keys: best.map(({ sessionKey }) => sessionKey), scan })
    if (scan === null || scan.continueAt === null || answers.length > 50) return answers
    continueAt = [scan.continueAt]
  }
}

/** A clock that is over after so many looks, however fast the machine is. */
function clockOfLooks(looks: number): SearchClock {
  const stepMs = 50
  const now = { workMs: 0, passedMs: 0 }
  return new SearchClock(looks * stepMs, {
    workMs: () => now.workMs,
    nowMs: () => {
      now.workMs += stepMs
      now.passedMs += stepMs
      return now.passedMs
    },
  })
}

describe('S7: a search that is longer than its time', () => {
  test('S7: ends with what it found, and going on finds the rest, each once', async () => {
    const sessions = new Map(
      Array.from({ length: 12 }, (_, index): [string, Session[]] => [
        `s${index}`,
        [makeSession(`s${index}`, [messageAt('m', index + 1, 0, `needle number ${index}`)])],
      ]),
    )
    const shard = await shardOf(sessions, 120)
    for (const mode of ['regex', 'substring'] as const) {
      const answers = await searchOn(shard, searchRequest('needle', { mode, limitMs: 120 }))
      expect(answers.length).toBeGreaterThan(1)
      expect(answers[0]?.total).toBeGreaterThan(0)
      expect(answers.map(({ total }) => total).reduce((sum, total) => sum + total, 0)).toBe(12)
      expect(answers.flatMap(({ keys }) => keys)).toEqual([...sessions.keys()].toReversed())
      expect(answers.at(-1)?.scan?.continueAt).toBeNull()
    }
    await shard.close()
  })

  test('S7: goes on within a session, and finds each message once', async () => {
    const messages = Array.from({ length: 40 }, (_, at) => messageAt(`m${at}`, 1, at, `needle number ${at}`))
    const shard = await shardOf(new Map([['s', [makeSession('s', messages)]]]))
    const answers = await searchOn(shard, searchRequest('needle \\w+', { mode: 'regex' }), () =>
      clockOfLooks(5),
    )
    expect(answers.length).toBeGreaterThan(2)
    expect(answers.every(({ total }) => total > 0)).toBe(true)
    expect(answers.reduce((sum, { total }) => sum + total, 0)).toBe(40)
    await shard.close()
  })

  test('S7: goes on in a session that takes longer to read than a search may take', async () => {
    const sessions = new Map([['s', [makeSession('s', [messageAt('m', 1, 1, 'needle')])]]])
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    let reads = 0
    const readGroup = async ({ id }: { id: string }) => {
      reads += 1
      if (reads > 1) await released
      return sessions.get(id) ?? []
    }
    const shard = makeShard(sessions, { readGroup })
    await shard.index(makeGroup('s'))
    const request = searchRequest('needle', { mode: 'regex', limitMs: LONG_MS })
    const first = await shard.find(request, { clock: clockOfLooks(2) })
    expect([first.total, first.scan?.continueAt?.messages]).toEqual([0, 0])
    release()
    const [rest] = await searchOn(shard, { ...request, continueAt: [first.scan?.continueAt ?? null] })
    expect(rest).toMatchObject({ total: 1, scan: { continueAt: null } })
    expect(reads).toBe(2)
    await shard.close()
  })

  test(
    'S7: one message that takes too long is left out and counted, and the others are searched',
    async () => {
      const messages = [
        messageAt('before', 1, 1, 'axbxcxQ'),
        messageAt('slow', 1, 2, SLOW_TEXT),
        messageAt('behind', 1, 3, 'dxexfxQ'),
      ]
      const shard = await shardOf(new Map([['s', [makeSession('s', messages)]]]))
      const answers = await searchOn(shard, searchRequest(SLOW, { mode: 'regex', limitMs: 1_000 }))
      const sum = (of: (answer: (typeof answers)[number]) => number) =>
        answers.map(of).reduce((total, each) => total + each, 0)
      expect([sum(({ total }) => total), sum(({ scan }) => scan?.messagesLeftOut ?? 0)]).toEqual([2, 1])
      await shard.close()
    },
    LONG_MS,
  )

  test(
    'S7: its hits are described in bounded time, too',
    async () => {
      const shard = await shardOf(
        new Map([['s', [makeSession('s', [messageAt('m', 1, 1, `${'a'.repeat(300_000)}`)])]]]),
      )
      const request = searchRequest('(a?){200}a{200}', { mode: 'regex' })
      const { best } = await shard.find(request)
      expect(best.length).toBe(1)
      const hits = await shard.describe(request, best)
      expect(hits.map(({ messageKey }) => messageKey)).toEqual(['m'])
      await shard.close()
    },
    LONG_MS,
  )
})

test('S7: a match that is empty is no hit, whatever the pattern, and every other one is', () => {
  const words = [
    '',
    'a',
    ' ',
    '\n',
    'a b',
    '-',
    'aa\nb',
    '\n\n',
    'Ünï',
    'x'.repeat(2_000),
    `${' '.repeat(2_000)}a`,
  ]
  for (const pattern of [
    'a*',
    '^',
    '$',
    '\\b',
    'x*$',
    '(?:)',
    '|a',
    'a|',
    '(a?)*',
    '^$',
    '\\B',
    'a+',
    '^a',
    '.',
    '[^a]',
    '\\Qa',
    '(?-i)A*',
  ])
    for (const word of words) {
      const matcher = regexMatcher(pattern)
      if ('problem' in matcher) throw new Error(`${pattern}: ${matcher.problem}`)
      expect([pattern, word, matcher.isIn(word)]).toEqual([pattern, word, matcher.ranges(word, 1).length > 0])
    }
})
