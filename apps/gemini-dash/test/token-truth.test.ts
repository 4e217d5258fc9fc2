import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  costWhySchema,
  questionPath,
  sessionCallsSchema,
  sessionCostSchema,
  sessionDetailSchema,
  sessionPath,
  usageReportSchema,
  usageWhySchema,
} from '@gemini-dash/api'
import {
  addCost,
  addUsage,
  type Cost,
  costSchema,
  NO_COST,
  NO_USAGE,
  tokenUsageSchema,
} from 'gemini-sessions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openTestServer, type TestServer } from './open-test-server.ts'
import { runProgram } from './run-program.ts'

const FOLDER = fileURLToPath(new URL('../../../fixtures/tokens', import.meta.url))
const CASES = readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)
const expectedSchema = z.object({
  sessions: z.array(
    z.object({
      sessionId: z.string(),
      calls: z.array(
        z.object({ id: z.string(), usd: z.number().nullable(), superseded: z.string().optional() }),
      ),
      usage: tokenUsageSchema,
      liveUsage: tokenUsageSchema,
      cost: costSchema,
      withSubagents: z.object({ usage: tokenUsageSchema, cost: costSchema }).optional(),
    }),
  ),
})
const expected = CASES.map((name) => ({
  name,
  ...expectedSchema.parse(JSON.parse(readFileSync(join(FOLDER, name, 'expected.json'), 'utf8'))),
}))
const all = expected.flatMap(({ sessions }) => sessions)
const sum = {
  usage: all.map(({ usage }) => usage).reduce(addUsage, NO_USAGE),
  cost: all.map(({ cost }) => cost).reduce(addCost, NO_COST),
}

/** What `packages/pricing` verifies for the library, verified for the program: every figure equals the one computed by hand. */
describe('tokens and cost computed by hand', () => {
  let home: string
  let server: TestServer
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'gemini-dash-tokens-'))
    for (const name of CASES)
      cpSync(join(FOLDER, name, 'home/tmp/webshop'), join(home, '.gemini/tmp', name), { recursive: true })
    server = await openTestServer({ home })
  })
  afterAll(async () => {
    await server?.close()
    rmSync(home, { recursive: true, force: true })
  })

  async function get<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: { cookie: server.cookie },
    })
    return schema.parse(await answer.json())
  }

  it.for(expected)('are those of a session’s page and chart: $name', async ({ sessions }) => {
    for (const { sessionId, calls, usage, liveUsage, cost, withSubagents } of sessions) {
      const { session } = await get(questionPath('sessions/:key', { key: sessionId }), sessionDetailSchema)
      expect(session).toMatchObject({
        usage,
        liveUsage,
        cost,
        withSubagents: withSubagents ?? { usage, cost },
      })

      const chart = await get(sessionPath('calls', sessionId), sessionCallsSchema)
      const taken = new Map(chart.superseded)
      const drawn = chart.messageKeys.map((key, index) => ({
        id: key,
        usd: chart.usd[index] ?? null,
        superseded: taken.get(index),
      }))
      expect(drawn.filter((_, index) => chart.input[index] !== null)).toEqual(calls)
      expect(drawn.length).toBe(usage.calls)

      const report = await get(sessionPath('cost', sessionId), sessionCostSchema)
      expect({ usage: report.usage, cost: report.cost }).toEqual({ usage, cost })
      expect(report.family?.together).toEqual(withSubagents)
    }
  })

  it('are those of the usage report, and of its parts', async () => {
    for (const by of ['session', 'model', 'day', 'project', 'hour-of-week']) {
      const report = await get(questionPath('usage', { by, tz: 'UTC' }), usageReportSchema)
      expect(figuresOf(report.total)).toEqual(sum)
      expect(addedUp(report.rows)).toEqual(sum)
    }
  })

  it('C8: stand once each in what is said of why they cost that, of a session and of all', async () => {
    const usage = await get(questionPath('usage/why', { tz: 'UTC' }), usageWhySchema)
    const added = (lines: readonly { usd: number }[]) =>
      lines.map(({ usd }) => ({ usd, unpricedCalls: 0 })).reduce(addCost, NO_COST).usd
    const lines = [...usage.lines, ...(usage.other === null ? [] : [usage.other])]
    expect([usage.total, added(lines), added(usage.kinds)]).toEqual([
      sum.cost.usd,
      sum.cost.usd,
      sum.cost.usd,
    ])
    const causes = new Set<string>()
    for (const { sessionId, cost, withSubagents } of all) {
      const why = await get(sessionPath('why', sessionId), costWhySchema)
      const total = (withSubagents?.cost ?? cost).usd
      expect({ sessionId, total: why.total, own: why.own }).toEqual({ sessionId, total, own: cost.usd })
      if (total !== null) expect({ sessionId, usd: added(why.lines) }).toEqual({ sessionId, usd: total })
      for (const { cause } of why.lines) causes.add(cause)
    }
    expect([...causes]).toContain('rewound')
  })

  it('T3: are those of the command line, of a session together with its sub-agents', async () => {
    const { stdout } = await runProgram(['usage', '--by', 'session', '--json', '--no-cache', '--home', home])
    const report = usageReportSchema.parse(JSON.parse(stdout))
    expect(figuresOf(report.total)).toEqual(sum)
    const wanted: ReturnType<typeof figuresOf>[] = []
    for (const { sessionId, withSubagents, ...own } of all.filter(({ usage }) => usage.calls > 0)) {
      const { session } = await get(questionPath('sessions/:key', { key: sessionId }), sessionDetailSchema)
      if (session.parentKey === null) wanted.push(figuresOf(withSubagents ?? own))
    }
    expect(sorted(report.rows.map(figuresOf))).toEqual(sorted(wanted))
  })
})

interface Figures {
  usage: typeof NO_USAGE | null
  cost: Cost | null
}

function figuresOf({ usage, cost }: Figures): Figures {
  return { usage, cost }
}

function addedUp(rows: readonly Figures[]): Figures {
  return {
    usage: rows.map(({ usage }) => usage ?? NO_USAGE).reduce(addUsage, NO_USAGE),
    cost: rows.map(({ cost }) => cost ?? NO_COST).reduce(addCost, NO_COST),
  }
}

function sorted(rows: readonly Figures[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort()
}
