import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WhyPart } from './explain-why.ts'
import { explainWhy } from './explain-why.ts'
import type { Reason, SessionReasons } from './facts.ts'
import { sumUsd } from './find-reasons.ts'

const large = (usd: number, label: string): Reason => ({
  cause: 'large-result',
  of: 'command',
  tool: 'run_shell_command',
  label,
  results: 1,
  tokens: 164_000,
  aboveRequests: 1,
  surchargeUsd: 0.21,
  usd,
  requests: 2,
  turn: 5,
  messageKey: label,
  advice: 'print-less',
})

function part(
  key: string,
  reasons: Reason[],
  turns: number[],
  others = { usd: 0, requests: 0, turns: 0 },
): WhyPart {
  const shares = turns.map((usd, index) => ({
    turn: index + 1,
    messageKey: `t${index + 1}`,
    usd,
    requests: 3,
  }))
  const usd = sumUsd([...reasons, ...shares, others].map((each) => each.usd))
  const requests = [...reasons, ...shares, others].reduce((sum, each) => sum + each.requests, 0)
  const known: SessionReasons = { usd, requests, reasons, turns: shares, others }
  return { key, title: `title of ${key}`, reasons: known }
}

const listed = (...parts: WhyPart[]) =>
  explainWhy('own', parts).lines.map(({ shown, percent, text }) => `${shown} ${percent}% ${text}`)

describe('why it cost that', () => {
  it('tells the largest first, what is left over last, with advice and a place', () => {
    const why = explainWhy('own', [part('own', [large(0.44, 'cat a')], [0.06, 0.04, 0.03, 0.01])])
    expect(why).toMatchObject({ total: 0.58, shown: '$0.58', own: 0.58, requests: 14 })
    expect(why.lines[0]).toEqual({
      cause: 'large-result',
      usd: 0.44,
      shown: '$0.44',
      percent: 76,
      requests: 2,
      text: 'One command put 164k tokens into the context',
      detail: 'In turn 5: cat a. 2 requests carried it, 1 at the higher rate of long inputs ($0.21 extra).',
      advice: 'Print only what you need (head, grep), or have a script read the file.',
      place: { sessionKey: 'own', turn: 5, messageKey: 'cat a' },
    })
    expect(listed(part('own', [large(0.44, 'cat a')], [0.06, 0.04, 0.03, 0.01]))).toEqual([
      '$0.44 76% One command put 164k tokens into the context',
      '$0.06 10% Turn 1 took 3 requests',
      '$0.08 14% 9 other requests',
    ])
  })

  it('says of many turns of a kind that they are even, and joins turns where more than a fifth would be left', () => {
    expect(listed(part('own', [], [0.02, 0.02, 0.02, 0.02], { usd: 0.12, requests: 18, turns: 6 }))).toEqual([
      '$0.20 100% 30 requests were spread evenly over 10 turns',
    ])
    expect(listed(part('own', [], [0.3, 0.2, 0.15, 0.14, 0.11, 0.1]))).toEqual([
      '$0.40 40% Turns 3, 4 and 5 took 9 requests',
      '$0.30 30% Turn 1 took 3 requests',
      '$0.20 20% Turn 2 took 3 requests',
      '$0.10 10% Turn 6 took 3 requests',
    ])
  })

  it('makes one line of results where there are too many, with the place of the largest', () => {
    const reasons = [large(0.4, 'a'), large(0.3, 'b'), large(0.2, 'c'), large(0.1, 'd')]
    const { lines } = explainWhy('own', [part('own', reasons, [])])
    expect(lines.map(({ usd, text }) => [usd, text])).toEqual([
      [0.4, 'One command put 164k tokens into the context'],
      [0.3, 'One command put 164k tokens into the context'],
      [0.3, '2 large results put 328k tokens into the context'],
    ])
    expect(lines[2]?.place?.messageKey).toBe('c')
  })

  it('has the sub-agents in it, and the own share beside', () => {
    const agents = [part('agent', [large(0.2, 'x')], [0.05]), part('small', [], [0.1])]
    const why = explainWhy('own', [part('own', [], [0.25]), ...agents])
    expect([why.total, why.own]).toEqual([0.6, 0.25])
    expect(
      why.lines.map(({ cause, text, detail, place }) => [cause, text, detail, place?.sessionKey]),
    ).toEqual([
      ['turns', 'Turn 1 took 3 requests', '', 'own'],
      [
        'large-result',
        expect.any(String),
        expect.stringContaining('In the sub-agent “title of agent”.'),
        'agent',
      ],
      ['sub-agent', 'A sub-agent made 3 requests', '“title of small”', 'small'],
      ['sub-agent', 'A sub-agent made 3 requests', '“title of agent”', 'agent'],
    ])
  })

  it('knows no price where there is none', () => {
    expect(explainWhy('own', [])).toEqual({ total: null, shown: null, own: null, requests: 0, lines: [] })
  })
})

const cents = fc.integer({ min: 1, max: 40_000 }).map((units) => units / 1e4)
const anyPart = (key: string) =>
  fc
    .record({
      reasons: fc.array(cents, { maxLength: 5 }),
      turns: fc.array(cents, { maxLength: 8 }),
      others: fc.option(fc.integer({ min: 1, max: 20 }), { nil: 0 }),
    })
    .map(({ reasons, turns, others }) => {
      const sorted = [...turns].sort((one, other) => other - one)
      const usd = others === 0 ? 0 : Math.min(...sorted, 0.01)
      return part(
        key,
        reasons.map((each, index) => large(each, `c${index}`)),
        sorted,
        { usd, requests: others, turns: others },
      )
    })

it('adds up in at most four lines, shown amounts to the shown total, whatever it cost', () => {
  fc.assert(
    fc.property(anyPart('own'), fc.array(anyPart('agent'), { maxLength: 2 }), (own, agents) => {
      const parts = [own, ...agents.map((agent, index) => ({ ...agent, key: `agent${index}` }))]
      const { total, requests, lines, shown } = explainWhy('own', parts)
      expect(sumUsd(lines.map(({ usd }) => usd))).toBe(total)
      expect(lines.reduce((sum, line) => sum + line.requests, 0)).toBe(requests)
      expect(lines.length).toBeLessThanOrEqual(4)
      const listed = lines.filter(({ cause }) => cause !== 'other')
      expect(listed.map(({ usd }) => usd)).toEqual(listed.map(({ usd }) => usd).sort((a, b) => b - a))
      expect(lines.slice(0, -1).every(({ cause }) => cause !== 'other')).toBe(true)
      const inCents = (text: string | null) =>
        text === null || text.startsWith('<') ? 0 : Math.round(Number(text.slice(1).replace(',', '')) * 100)
      expect(lines.reduce((sum, line) => sum + inCents(line.shown), 0)).toBe(inCents(shown))
    }),
  )
})
