import { fileURLToPath } from 'node:url'
import { questionPath, sessionDetailSchema, sessionPath, sessionWhatIfSchema } from '@gemini-dash/api'
import { contextXraySchema, reasoningSchema, wasteSchema } from 'gemini-sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { openTestServer, type TestServer } from './open-test-server.ts'

const HOME = fileURLToPath(new URL('../../../fixtures/home', import.meta.url))
/** A rewound turn, a sub-agent, a failed edit, a compression. */
const ROUNDING = '3e7a7b68-baf0-4b05-8f68-831b75a33ca5'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({ home: HOME })
})
afterAll(() => server.close())

async function statusOf(path: string): Promise<number> {
  const headers = { cookie: server.cookie }
  return (await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })).status
}

async function answerOf<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> {
  const headers = { cookie: server.cookie }
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })
  expect([path, answer.status]).toEqual([path, 200])
  const { schemaVersion, ...body } = (await answer.json()) as { schemaVersion?: number }
  expect(schemaVersion).toBe(1)
  return schema.parse(body)
}

const detailOf = () => answerOf(questionPath('sessions/:key', { key: ROUNDING }), sessionDetailSchema)

describe('what a whole session tells', () => {
  test('its reasoning has every thought of the outline, and all tokens of the session', async () => {
    const { session, outline } = await detailOf()
    const { calls, tokens } = await answerOf(sessionPath('reasoning', ROUNDING), reasoningSchema)
    for (const { number, thoughts } of outline) {
      const listed = calls.filter(({ turn }) => turn === number).flatMap(({ steps }) => steps)
      expect([number, listed.length]).toEqual([number, thoughts])
    }
    expect(tokens).toEqual({ thoughts: session.usage?.thoughts, output: session.usage?.output })
  })

  test('its prompts hold what was recorded, call by call', async () => {
    const { session, figures } = await detailOf()
    const { calls, compressions, totals } = await answerOf(
      sessionPath('context', ROUNDING),
      contextXraySchema,
    )
    expect(calls.reduce((sum, { input }) => sum + input, 0)).toBe(session.usage?.input)
    for (const { input, tokens } of calls) expect(tokens.reduce((sum, each) => sum + each, 0)).toBe(input)
    expect(compressions).toHaveLength(1)
    expect([totals.input, totals.cached]).toEqual([session.usage?.input, session.usage?.cached])
    expect(totals.saved).toEqual(figures.savedByCache)
  })

  test('what it did twice is told with its places', async () => {
    const { findings } = await answerOf(sessionPath('waste', ROUNDING), wasteSchema)
    const edit = findings.find(({ kind }) => kind === 'failed-edit')
    expect(edit).toMatchObject({ tool: 'replace', places: [{ isExtra: true }, { isExtra: false }] })
    expect(edit?.subject).toMatch(/voucher\.js$/)
  })

  test('what it and its sub-agents would have cost begins with what they did cost together', async () => {
    const { session } = await detailOf()
    const { cost, calls, withoutCache, atLowestTier, onModels, agentsLeftOut } = await answerOf(
      sessionPath('what-if', ROUNDING),
      sessionWhatIfSchema,
    )
    const { usage } = session.withSubagents
    expect(session.subagentKeys.length).toBeGreaterThan(0)
    expect(cost).toEqual(session.withSubagents.cost)
    expect(calls).toBe((usage?.calls ?? 0) - (usage?.callsWithoutTokens ?? 0))
    expect(withoutCache.cost.usd).toBeGreaterThan(cost.usd ?? Number.NaN)
    expect(atLowestTier.cost.usd).toBeLessThan(cost.usd ?? Number.NaN)
    expect(onModels.filter(({ wasUsed }) => wasUsed).length).toBeGreaterThan(0)
    expect(agentsLeftOut).toBe(0)
  })

  test('of a session that is not there, nothing is told', async () => {
    const asked = ['reasoning', 'context', 'waste', 'what-if'] as const
    expect(
      await Promise.all(asked.map((question) => statusOf(sessionPath(question, 'nothing-here')))),
    ).toEqual(asked.map(() => 404))
  })
})
