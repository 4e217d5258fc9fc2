import { describe, expect, it } from 'vitest'
import {
  findAboveTier,
  findColdCache,
  findDropped,
  findLargeResults,
  findRepeatedReads,
  findRewound,
  findSmallPrompts,
} from './causes.ts'
import type { LargePiece, PricedRequest } from './facts.ts'

const MINUTE_MS = 60_000

/** A request without a cause. */
function request(key: string, given: Partial<PricedRequest> = {}): PricedRequest {
  return {
    messageKey: key,
    turn: 1,
    timeMs: null,
    usd: 0.01,
    input: 20_000,
    cached: 0,
    superseded: null,
    aboveInputTokens: null,
    surchargeUsd: 0,
    context: ' 0',
    isAgent: false,
    before: null,
    isAfterCompression: false,
    isFirstOfTurn: false,
    largest: null,
    rereads: null,
    instructionTokens: 8_000,
    instructionUsd: 0.004,
    resentUsd: 0,
    ...given,
  }
}

function piece(tokens: number): LargePiece {
  const place = { id: 'p', messageKey: 'm', turn: 1 }
  return {
    ...place,
    of: 'command',
    tool: 'run_shell_command',
    label: 'cat a.csv',
    advice: 'print-less',
    tokens,
  }
}

const keysOf = (found: readonly { requests: readonly PricedRequest[] }[]) =>
  found.map(({ requests }) => requests.map(({ messageKey }) => messageKey))

describe('one large result', () => {
  it('explains the requests of whose input it is more than a fifth, until it is less', () => {
    const requests = [
      request('a', { largest: piece(5_000) }),
      request('b', { largest: piece(5_000), aboveInputTokens: 200_000, surchargeUsd: 0.004 }),
      request('c', { largest: piece(5_000), input: 25_000 }),
    ]
    const found = findLargeResults(requests)
    expect(keysOf(found)).toEqual([['a', 'b']])
    expect(found[0]).toMatchObject({
      facts: { of: 'command', label: 'cat a.csv', tokens: 5_000, aboveRequests: 1, surchargeUsd: 0.004 },
      place: { turn: 1, messageKey: 'm' },
      advice: 'print-less',
    })
  })

  it('is none where it is a fifth, small, or not there', () => {
    const none = [
      request('a', { largest: piece(4_000) }),
      request('b', { largest: piece(3_999), input: 8_000 }),
      request('c'),
    ]
    expect(findLargeResults(none)).toEqual([])
  })
})

describe('the higher rate', () => {
  const above = { input: 250_000, aboveInputTokens: 200_000, surchargeUsd: 0.3 }

  it('advises to compress where a turn began above the line', () => {
    const found = findAboveTier([
      request('a', { ...above, isFirstOfTurn: true }),
      request('b', above),
      request('c'),
    ])
    expect(keysOf(found)).toEqual([['a', 'b']])
    expect(found[0]).toMatchObject({
      facts: { aboveInputTokens: 200_000, surchargeUsd: 0.6, largestInput: 250_000 },
      advice: 'compress',
    })
  })

  it('advises nothing where the context grew within the turn, and is none below the line', () => {
    expect(findAboveTier([request('a', { isFirstOfTurn: true }), request('b', above)])[0]?.advice).toBe(null)
    expect(findAboveTier([request('a', { isFirstOfTurn: true })])).toEqual([])
  })
})

describe('repeated reads', () => {
  const rereads = (calls: number, callCount: number, ...paths: string[]) => ({
    rereads: { calls, callCount, paths },
  })

  it('are requests that asked for nothing else', () => {
    const found = findRepeatedReads([
      request('a', rereads(1, 1, 'a.ts')),
      request('b', rereads(2, 2, 'a.ts', 'b.ts')),
      request('c', rereads(1, 2, 'a.ts')),
    ])
    expect(keysOf(found)).toEqual([['a', 'b']])
    expect(found[0]?.facts).toEqual({ cause: 'repeated-reads', path: 'a.ts', files: 2, reads: 3 })
    expect(found[0]?.advice).toBe('say-unchanged')
  })

  it('are none where something else was asked for, too', () => {
    expect(findRepeatedReads([request('a', rereads(1, 2, 'a.ts')), request('b')])).toEqual([])
  })
})

describe('what was taken back', () => {
  const requests = (['rewound', 'aborted', 'replaced', 'compacted', null] as const).map((superseded, index) =>
    request(`${superseded}`, { superseded, turn: index }),
  )

  it('is rewound by a person or dropped by the CLI; what was compressed had done its work', () => {
    expect(keysOf(findRewound(requests))).toEqual([['rewound']])
    expect(findRewound(requests)[0]?.facts).toEqual({ cause: 'rewound', turns: 1 })
    expect(keysOf(findDropped(requests))).toEqual([['aborted', 'replaced']])
    expect(findRewound(requests.slice(3))).toEqual([])
    expect(findDropped(requests.slice(3))).toEqual([])
  })
})

describe('a cold cache', () => {
  const after = (minutes: number, cached: number, key = `${minutes}`) =>
    request(key, {
      timeMs: minutes * MINUTE_MS,
      isFirstOfTurn: true,
      cached,
      before: { input: 20_000, timeMs: 0 },
    })
  const warm = [after(1, 18_000), after(2, 18_000)]

  it('is found after a break where other requests find theirs warm', () => {
    const [found] = findColdCache([...warm, after(132, 0, 'cold')])
    expect(keysOf(found ? [found] : [])).toEqual([['cold']])
    expect(found?.facts).toMatchObject({ breaks: 1, longestBreakMs: 132 * MINUTE_MS, compressions: 0 })
    expect(found?.advice).toBe('finish-before-break')
  })

  it('advises nothing where a tool took that long', () => {
    const [found] = findColdCache([...warm, { ...after(132, 0), isFirstOfTurn: false }])
    expect(found?.facts).toMatchObject({ breaks: 0, waits: 1 })
    expect(found?.advice).toBe(null)
  })

  it('is found after a compression, where nobody could have done anything', () => {
    const [found] = findColdCache([...warm, request('c', { isAfterCompression: true, turn: 6 })])
    expect(found?.facts).toMatchObject({ breaks: 0, compressions: 1, compressionTurn: 6 })
    expect(found?.advice).toBe(null)
  })

  it.each([
    ['there was no break', [...warm, after(4, 0)]],
    ['the cache was still warm', [...warm, after(132, 18_000)]],
    ['nothing of the session was ever cached', [after(1, 0), after(2, 0), after(132, 0)]],
    ['times are not known', [...warm, request('a', { before: { input: 20_000, timeMs: null } })]],
  ])('is none where %s', (_why, requests) => {
    expect(findColdCache(requests)).toEqual([])
  })
})

describe('many small prompts', () => {
  const session = (turns: number, given: Partial<PricedRequest> = {}) =>
    Array.from({ length: turns * 2 }, (_, index) =>
      request(`r${index}`, { turn: Math.floor(index / 2) + 1, resentUsd: 0.008, ...given }),
    )
  const prompts = (length: number) => new Map(Array.from({ length: 20 }, (_, index) => [index + 1, length]))

  it('are eight turns of one context or more that mostly sent it again', () => {
    const [found] = findSmallPrompts(session(8), prompts(60))
    expect(found?.requests.length).toBe(16)
    expect(found?.facts).toEqual({
      cause: 'small-prompts',
      turns: 8,
      instructionTokens: 8_000,
      instructionUsd: expect.closeTo(0.064),
    })
    expect(found?.advice).toBe('batch-prompts')
  })

  it.each([
    ['they are few', session(7), prompts(60)],
    ['prompts are long', session(8), prompts(401)],
    [
      'a compression is between them',
      session(14).map((each) => ({ ...each, context: `${each.turn % 2}` })),
      prompts(60),
    ],
    ['most of the price is new', session(8, { resentUsd: 0.004 }), prompts(60)],
    ['a turn takes many requests', session(8).flatMap((each) => [each, each, each, each]), prompts(60)],
    ['nobody typed them', session(8, { isAgent: true }), prompts(60)],
  ])('are none where %s', (_why, requests, lengths) => {
    expect(findSmallPrompts(requests, lengths)).toEqual([])
  })
})
