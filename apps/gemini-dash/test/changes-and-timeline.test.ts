import { fileURLToPath } from 'node:url'
import { SESSION_QUESTIONS, sessionPath, sessionTimelineSchema } from '@gemini-dash/api'
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

async function answerOf<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> {
  const headers = { cookie: server.cookie }
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })
  expect([path, answer.status]).toEqual([path, 200])
  return schema.parse(await answer.json())
}

describe('the changes of a session', () => {
  test('have what still stands of each edit', async () => {
    const { turns } = await answerOf(sessionPath('changes', ROUNDING), SESSION_QUESTIONS.changes.answer)
    const steps = turns.flatMap((turn) => turn.steps)
    const edits = steps.flatMap((step) => (step.kind === 'edit' ? [[step.name, step.state]] : []))
    expect(edits).toEqual([
      ['src/price.js', 'stands'],
      ['src/voucher.js', 'not-made'],
      ['src/voucher.js', 'stands'],
      // rewound, and not recorded again
      ['src/locale.js', 'unknown'],
      ['src/money.js', 'stands'],
      ['src/receipt.js', 'stands'],
      ['scripts/check-orders.mjs', 'stands'],
      ['package.json', 'stands'],
    ])
  })
})

describe('the timeline', () => {
  test('adds up, and shows the sub-agent below the call that started it', async () => {
    const { wallMs, totals, steps } = await answerOf(sessionPath('timeline', ROUNDING), sessionTimelineSchema)
    expect(Object.values(totals).reduce((sum, ms) => sum + ms, 0)).toBe(wallMs)
    const call = steps.findIndex(({ kind }) => kind === 'agent')
    expect(steps[call]?.measured).toEqual({ startMs: 9_300, endMs: 43_600 })
    expect(steps[call + 1]).toMatchObject({ depth: 1, sessionKey: steps[call]?.agentKey })
  })
})
