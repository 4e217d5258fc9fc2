import type { SessionSummary } from 'gemini-sessions'
import { describe, expect, test } from 'vitest'
import type { ShownDetail } from '../../api/session.ts'
import { headFailures, headTime, headTotals } from './head-facts.tsx'

const usage = {
  input: 900_000,
  output: 3_000,
  cached: 600_000,
  thoughts: 2_000,
  tool: 0,
  total: 905_000,
  calls: 28,
  callsWithoutTokens: 0,
}
const cost = { usd: 0.68, unpricedCalls: 0 }
const failures = { tools: 2, refused: 1, unanswered: 0 }

function sessionOf(fields: Record<string, unknown> = {}): SessionSummary {
  return {
    startTime: '2026-11-21T16:31:00Z',
    endTime: '2026-11-21T19:17:00Z',
    live: false,
    verdict: { kind: 'stillFailing' },
    fates: { laterSucceeded: 0, stillFailing: 1, neverRerun: 1 },
    withSubagents: { usage, cost, toolCalls: 41, failures },
    subagentKeys: [],
    copiedFrom: null,
    recorded: { turns: 3, toolCalls: 41 },
    files: [],
    models: [],
    ...fields,
  } as unknown as SessionSummary
}

function detailOf(session: SessionSummary, fields: Record<string, unknown> = {}): ShownDetail {
  const turn = (number: number, superseded: string | null = null) => ({ number, superseded })
  return {
    session,
    outline: [turn(0), turn(1), turn(2, 'rewound'), turn(3)],
    figures: { activeMs: 290_000, savedByCache: { usd: 0.5, unpricedCalls: 0 } },
    ...fields,
  } as unknown as ShownDetail
}

describe('the line of facts', () => {
  const now = new Date('2026-11-26T12:00:00Z')

  test('has turns, tool calls, errors of the API, tokens and cost, and the rest in its tooltip', () => {
    const { text, title } = headTotals(detailOf(sessionOf()), true)
    expect(text).toBe('3 turns, 41 tool calls, 1 API error, 905k tokens, $0.68')
    expect(title.split('\n')).toEqual([
      '1 turn rewound',
      '28 requests',
      expect.stringMatching(/^Input 900,000, 67\s?% cached$/),
      'Output 3,000',
      'Thinking 2,000',
      expect.stringMatching(/^\$0\.68/),
      'The cache saved $0.500',
    ])
  })

  test('has no price where there is none, and no turns that are not read yet', () => {
    const { text, title } = headTotals(detailOf(sessionOf()), false)
    expect(`${text} ${title}`).not.toContain('$')
    const partial = detailOf(sessionOf({ recorded: null }), { beginning: [] })
    expect(headTotals(partial, false).text).toMatch(/^41 tool calls/)
  })

  test('says that it finished where the verdict says what is broken, and when it was started where it runs', () => {
    expect(headTime(detailOf(sessionOf()), now)?.text).toMatch(/^Finished .*, 5 min active$/)
    const fine = sessionOf({ verdict: { kind: 'finished' } })
    expect(headTime(detailOf(fine), now)?.text).not.toContain('Finished')
    expect(headTime(detailOf(sessionOf({ live: true })), now)?.text).toMatch(/^Started /)
    expect(headTime(detailOf(sessionOf({ startTime: null, endTime: null })), now)).toBeNull()
  })

  test('says of failed calls what became of them, and nothing that the verdict says', () => {
    expect(headFailures(sessionOf())).toBe('2 failed')
    const fates = { laterSucceeded: 2, stillFailing: 0, neverRerun: 0 }
    expect(headFailures(sessionOf({ fates }))).toBe('2 failed, later succeeded')
    const never = { laterSucceeded: 0, stillFailing: 0, neverRerun: 2 }
    expect(headFailures(sessionOf({ fates: never, verdict: { kind: 'neverRerun' } }))).toBeNull()
    const none = { usage, cost, toolCalls: 41, failures: { ...failures, tools: 0 } }
    expect(headFailures(sessionOf({ withSubagents: none }))).toBeNull()
  })
})
