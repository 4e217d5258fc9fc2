import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryLog } from '../../test/arbitrary-log.ts'
import { answer, at, context, logFile, prompt, rawFile } from '../../test/make-file.ts'
import { readHome } from '../../test/read-home.ts'
import { type ContextXray, contextXraySchema } from '../model/insights.ts'
import type { Session } from '../model/message.ts'
import { ContextXrayBuilder } from './context.ts'
import { stitchGroup } from './stitch.ts'
import type { PriceCall } from './sums.ts'

/** One dollar per token of fresh input, a tenth for a cached one. */
const perToken: PriceCall = ({ usage: { input, cached } }) => input - cached * 0.9

function xrayOf(session: Session): ContextXray {
  const builder = new ContextXrayBuilder(session)
  builder.add(session.messages)
  return contextXraySchema.parse(builder.finish(perToken))
}

function xray(rows: Parameters<typeof logFile>[1]): ContextXray {
  const [session] = stitchGroup([logFile({ start: 1 }, rows)])
  if (session === undefined) throw new Error('no session')
  return xrayOf(session)
}

/** Tokens of each kind, summed over tools. */
function kindsOf({ blocks, calls }: ContextXray, index: number): Record<string, number> {
  const kinds: Record<string, number> = {}
  for (const [block, tokens] of (calls[index]?.tokens ?? []).entries()) {
    const kind = blocks[block]?.kind ?? '?'
    if (tokens > 0) kinds[kind] = (kinds[kind] ?? 0) + tokens
  }
  return kinds
}

const tokens = (input: number, cached = 0) => ({
  tokens: { input, output: 10, cached, thoughts: 0, tool: 0, total: input + 10 },
})

const readFile = (id: string, minutes: number, output: string) => ({
  id,
  name: 'read_file',
  args: {},
  description: 'src/price.js',
  status: 'success',
  timestamp: at(minutes),
  result: [{ functionResponse: { id, name: 'read_file', response: { output } } }],
})

describe('context x-ray', () => {
  it('takes what the first call has beyond its prompt for the baseline, and keeps it', () => {
    const sent = xray([
      prompt('p1', 1, 'x'.repeat(400)),
      answer('a1', 2, { content: 'y'.repeat(40), ...tokens(5_100) }),
      prompt('p2', 3, 'z'.repeat(800)),
      answer('a2', 4, { content: '', ...tokens(5_400) }),
    ])
    expect(kindsOf(sent, 0)).toEqual({ baseline: 5_000, prompt: 100 })
    expect(kindsOf(sent, 1)).toEqual({ baseline: 5_000, prompt: 300, answer: 10, unrecorded: 90 })
  })

  it('tells context, prompts, files, and results by tool apart, and what grew', () => {
    const withFile = `look @a.ts\n--- Content from referenced files ---\nContent from @a.ts:\n${'f'.repeat(2_000)}\n--- End of content ---`
    const sent = xray([
      context(1),
      prompt('p1', 1, withFile),
      answer('a1', 2, { content: '', toolCalls: [readFile('c1', 3, 'r'.repeat(4_000))], ...tokens(9_000) }),
      answer('a2', 4, { content: '', ...tokens(10_100) }),
    ])
    const first = kindsOf(sent, 0)
    expect(Object.keys(first).sort()).toEqual(['baseline', 'file', 'prompt', 'session-context'])
    expect(first.file).toBeGreaterThanOrEqual(500)
    expect(first.file).toBeLessThan(520)
    const { block, tokens: more } = sent.calls[1]?.grew ?? { block: -1, tokens: 0 }
    expect(sent.blocks[block]).toEqual({ kind: 'tool-result', name: 'read_file' })
    // the name of the tool is sent with its result
    expect(more).toBe(1_002)
  })

  it('counts how often a piece was sent, until the context is compressed', () => {
    const sent = xray([
      prompt('p1', 1, 'a'.repeat(4_000)),
      answer('a1', 2, tokens(6_000)),
      answer('a2', 3, tokens(6_100)),
      [
        { ...prompt('s1', 4), content: [{ text: '<state_snapshot>short</state_snapshot>' }] },
        prompt('p2', 5, 'b'.repeat(400)),
      ],
      answer('a3', 6, tokens(5_200)),
    ])
    const items = sent.items.filter(({ kind }) => kind === 'prompt')
    expect(items.map(({ messageKey, tokens, sent }) => [messageKey, tokens, sent])).toEqual([
      ['p1', 1_000, 2],
      ['p2', 100, 1],
    ])
    expect(kindsOf(sent, 2).prompt).toBe(100)
  })

  it('leaves what was rewound to the calls of its own branch', () => {
    const sent = xray([
      prompt('p1', 1, 'a'.repeat(400)),
      answer('a1', 2, tokens(5_000)),
      prompt('p2', 3, 'b'.repeat(4_000)),
      answer('a2', 4, tokens(6_100)),
      { $rewindTo: 'p2' },
      prompt('p3', 5, 'c'.repeat(800)),
      answer('a3', 6, tokens(5_300)),
    ])
    expect(sent.calls.map(({ superseded }) => superseded)).toEqual([null, 'rewound', null])
    expect([0, 1, 2].map((index) => kindsOf(sent, index).prompt)).toEqual([100, 1_100, 300])
  })

  it('tells what was sent before: all but the growth, whatever was taken back meanwhile', () => {
    const sent = xray([
      prompt('p1', 1, 'a'.repeat(400)),
      answer('a1', 2, tokens(5_000)),
      prompt('p2', 3, 'b'.repeat(4_000)),
      answer('a2', 4, tokens(6_100)),
      { $rewindTo: 'p2' },
      prompt('p3', 5, 'c'.repeat(800)),
      answer('a3', 6, tokens(5_300)),
    ])
    expect(sent.calls.map(({ resent }) => resent)).toEqual([0, 5_000, 5_000])
    expect(sent.calls.map(({ before }) => before)).toEqual([null, 0, 0])
    expect(sent.calls[2]?.grew?.tokens).toBe(200)
    expect(sent.totals).toMatchObject({ input: 16_400, resent: 10_000 })
  })

  it('prices the input of each call, what the cache took off it, and what sending a piece again took', () => {
    const sent = xray([
      prompt('p1', 1, 'a'.repeat(4_000)),
      answer('a1', 2, { content: '', ...tokens(5_000) }),
      answer('a2', 3, { content: '', ...tokens(5_000, 2_500) }),
      answer('a3', 4, { content: '', ...tokens(5_000, 5_000) }),
    ])
    expect(sent.calls.map(({ inputUsd, savedUsd }) => [inputUsd, savedUsd])).toEqual([
      [5_000, 0],
      [2_750, 2_250],
      [500, 4_500],
    ])
    expect(sent.totals.cost).toEqual({ usd: 8_250, unpricedCalls: 0 })
    expect(sent.totals.saved).toEqual({ usd: 6_750, unpricedCalls: 0 })
    const [baseline, piece] = sent.items
    expect(baseline).toMatchObject({ kind: 'baseline', messageKey: 'a1', tokens: 4_000, sent: 3 })
    expect(baseline?.resentUsd).toBeCloseTo(4_000 * (0.55 + 0.1))
    expect(piece).toMatchObject({ kind: 'prompt', messageKey: 'p1', sent: 3, sentTokens: 3_000 })
    expect(piece?.resentUsd).toBeCloseTo(1_000 * (0.55 + 0.1))
  })

  it('gives way on all sides where a call sends less than the first one had before any message', () => {
    const sent = xray([
      prompt('p1', 1, 'a'.repeat(400)),
      answer('a1', 2, { content: '', ...tokens(5_100) }),
      prompt('p2', 3, 'b'.repeat(4_000)),
      answer('a2', 4, { content: '', ...tokens(3_050) }),
    ])
    expect(kindsOf(sent, 1).prompt).toBe(550)
    expect(kindsOf(sent, 1).baseline).toBeGreaterThan(2_400)
  })

  it('scales down where less was sent than is logged, as when the CLI masks old results', () => {
    const sent = xray([
      prompt('p1', 1, 'a'.repeat(40)),
      answer('a1', 2, { content: '', toolCalls: [readFile('c1', 3, 'r'.repeat(40_000))], ...tokens(5_010) }),
      answer('a2', 4, { content: '', ...tokens(7_000) }),
    ])
    expect(sent.calls[1]?.scale).toBeLessThan(0.25)
    expect(kindsOf(sent, 1)).toMatchObject({ baseline: 5_000 })
  })

  it('measures on the session how many tokens its lengths are', () => {
    const rows = [1, 2, 3, 4, 5].flatMap((turn) => [
      prompt(`p${turn}`, turn * 2, 'x'.repeat(4_000)),
      answer(`a${turn}`, turn * 2 + 1, { content: '', ...tokens(5_000 + turn * 1_500) }),
    ])
    const sent = xray(rows)
    expect(sent.calls.map((_, index) => kindsOf(sent, index).prompt)).toEqual([
      1_500, 3_000, 4_500, 6_000, 7_500,
    ])
    expect(kindsOf(sent, 4)).toEqual({ baseline: 5_000, prompt: 7_500 })
  })

  it('adds up to the recorded input of every call, in real homes and in random logs', async () => {
    const homes = fileURLToPath(new URL('../../../../fixtures/homes', import.meta.url))
    const { sessions } = await readHome(...(await readdir(homes)).map((name) => `${homes}/${name}`))
    expect(sessions.length).toBeGreaterThan(20)
    for (const session of sessions) expectSums(session)
    fc.assert(
      fc.property(arbitraryLog, ({ text }) => {
        for (const session of stitchGroup([rawFile({ start: 1 }, 'jsonl', text)])) expectSums(session)
      }),
      { numRuns: 100 },
    )
  })
})

function expectSums(session: Session): void {
  const recorded = session.messages.filter(
    ({ origin, copyOf, usage }) => origin === 'model' && copyOf === null && usage !== null,
  )
  const { calls } = xrayOf(session)
  expect(calls.map(({ messageKey }) => messageKey)).toEqual(recorded.map(({ key }) => key))
  for (const { input, tokens } of calls) {
    expect(tokens.reduce((sum, each) => sum + each, 0)).toBe(input)
    expect(tokens.every((each) => each >= 0 && Number.isInteger(each))).toBe(true)
  }
}
