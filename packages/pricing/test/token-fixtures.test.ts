import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  addCost,
  costSchema,
  NO_COST,
  type Session,
  type SessionSummary,
  spentMessages,
  tokenUsageSchema,
  usageBuckets,
} from 'gemini-sessions'
import { listSessions, readSessions } from 'gemini-sessions/node'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { priceCall, reportCost } from '../src/cost.ts'

const FOLDER = fileURLToPath(new URL('../../../fixtures/tokens', import.meta.url))
const CASES = readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)

const totalsSchema = z.strictObject({ usage: tokenUsageSchema, cost: costSchema })
const expectedSchema = z.strictObject({
  about: z.string(),
  sessions: z.array(
    z.strictObject({
      sessionId: z.string(),
      calls: z.array(
        z.strictObject({
          id: z.string(),
          usd: z.number().nullable(),
          /** The sum in millionths of a dollar, or why there is none. */
          of: z.string(),
          superseded: z.string().optional(),
        }),
      ),
      usage: tokenUsageSchema,
      liveUsage: tokenUsageSchema,
      cost: costSchema,
      withSubagents: totalsSchema.optional(),
    }),
  ),
})

describe.each(CASES)('tokens and cost computed by hand: %s', (name) => {
  const expected = expectedSchema.parse(JSON.parse(readFileSync(`${FOLDER}/${name}/expected.json`, 'utf8')))

  it('has arithmetic that gives its figures', () => {
    for (const { calls, cost } of expected.sessions) {
      const priced = calls.filter(({ usd }) => usd !== null)
      for (const { of, usd } of priced) expect(evaluate(of) / 1e6).toBeCloseTo(usd ?? Number.NaN, 12)
      if (cost.usd !== null)
        expect(priced.reduce((sum, { of }) => sum + evaluate(of), 0) / 1e6).toBeCloseTo(cost.usd, 12)
    }
  })

  it('is read and priced to the last token and to the last digit', async () => {
    const { sessions, rows } = await read(`${FOLDER}/${name}/home`)
    const found = expected.sessions.map(({ sessionId, withSubagents }) => {
      const session = sessions.find((each) => each.sessionId === sessionId)
      const row = rows.find((each) => each.sessionId === sessionId)
      if (session === undefined || row === undefined) return { sessionId }
      const { usage, liveUsage, cost } = row
      const own = { sessionId, calls: callsOf(session), usage, liveUsage, cost }
      if (withSubagents === undefined) return own
      const { usage: usageOfAll, cost: costOfAll } = row.withSubagents
      return { ...own, withSubagents: { usage: usageOfAll, cost: costOfAll } }
    })
    const wanted = expected.sessions.map((session) => ({
      ...session,
      calls: session.calls.map(({ id, usd, superseded = null }) => ({ id, usd, superseded })),
    }))
    expect(found).toEqual(wanted)
    expect(sessions).toHaveLength(expected.sessions.length)
  })

  it('has the same sum by quarter hours', async () => {
    const { sessions, rows } = await read(`${FOLDER}/${name}/home`)
    const buckets = sessions.flatMap((session) => usageBuckets(session, priceCall))
    const sum = (of: (bucket: (typeof buckets)[number]) => number) =>
      buckets.reduce((all, each) => all + of(each), 0)
    const whole = (of: (row: SessionSummary) => number) => rows.reduce((all, each) => all + of(each), 0)
    expect(sum(({ cost }) => cost.usd ?? 0)).toBeCloseTo(
      whole(({ cost }) => cost?.usd ?? 0),
      12,
    )
    expect(sum(({ usage }) => usage.total)).toBe(whole(({ usage }) => usage?.total ?? 0))
  })

  it('is explained by parts that add up to its figures', async () => {
    const { sessions } = await read(`${FOLDER}/${name}/home`)
    for (const { sessionId, usage, liveUsage, cost } of expected.sessions) {
      const session = sessions.find((each) => each.sessionId === sessionId)
      const report = reportCost(session === undefined ? [] : spentMessages(session))
      expect({ usage: report.usage, cost: report.cost }).toEqual({ usage, cost })
      const ofRates = report.rates.map(({ usd }) => ({ usd, unpricedCalls: 0 })).reduce(addCost, NO_COST)
      expect(ofRates.usd).toBe(cost.usd)
      const terms = report.rates.flatMap((rate) => rate.terms)
      expect(terms.map(({ usd }) => ({ usd, unpricedCalls: 0 })).reduce(addCost, NO_COST).usd).toBe(cost.usd)
      const pricedCalls = report.rates.reduce((sum, { calls }) => sum + calls, 0)
      expect(pricedCalls + report.unknown.reduce((sum, { calls }) => sum + calls, 0)).toBe(usage.calls)
      const takenBack = report.superseded.reduce((sum, part) => sum + part.usage.total, 0)
      expect(takenBack).toBe(usage.total - liveUsage.total)
    }
  })
})

async function read(home: string): Promise<{ sessions: Session[]; rows: readonly SessionSummary[] }> {
  const sessions: Session[] = []
  for await (const { session } of readSessions({ homes: [home], priceCall })) sessions.push(session)
  return { sessions, rows: await listSessions({ homes: [home], priceCall }) }
}

function callsOf({ messages }: Session) {
  return messages
    .filter(({ usage }) => usage !== null)
    .map((message) => ({ id: message.id, usd: priceCall(message), superseded: message.superseded }))
}

/** `600 × 1.25 + 50 × 10` */
function evaluate(sum: string): number {
  return sum
    .split(' + ')
    .map((product) => product.split(' × ').reduce((value, factor) => value * Number(factor), 1))
    .reduce((all, value) => all + value, 0)
}
