import { doctorSchema, sessionListSchema, usageReportSchema } from '@gemini-dash/api'
import { expect, test } from 'vitest'
import { inLines, useQuietHome } from './quiet-home.ts'

const place = useQuietHome()
const time = (second: number) => `2026-03-01T10:00:0${second}.000Z`

function writeSession(id: string, tokens: object): void {
  place.write(
    `tmp/shop/chats/session-2026-03-01T10-00-${id}.jsonl`,
    inLines(
      { sessionId: id, projectHash: 'f'.repeat(64), startTime: time(0), lastUpdated: time(5) },
      { id: `${id}-p`, timestamp: time(1), type: 'user', content: [{ text: 'Go' }] },
      {
        id: `${id}-g`,
        timestamp: time(2),
        type: 'gemini',
        content: 'Gone.',
        model: 'gemini-2.5-pro',
        tokens,
      },
    ),
  )
}

test('M6: tokens under known names are priced whole, and under unknown ones with a plus and a line of the doctor', async () => {
  writeSession('aaaa1111', { input: 1000, output: 50, cached: 0, thoughts: 20, tool: 0, total: 1070 })
  writeSession('bbbb2222', { promptTokenCount: '1000', candidates_token_count: 50, thoughtsTokenCount: 20 })
  writeSession('cccc3333', {
    input: 1000,
    output: 50,
    cached: 0,
    thoughts: 20,
    tool: 0,
    total: 1070,
    audio: 9,
  })

  const { sessions } = sessionListSchema.parse(await place.json('list'))
  const told = sessions.map(({ sessionId, usage, cost }) => [sessionId, usage, cost]).sort()
  const usage = {
    input: 1000,
    output: 50,
    cached: 0,
    thoughts: 20,
    tool: 0,
    total: 1070,
    calls: 1,
    callsWithoutTokens: 0,
  }
  const usd = 0.00195
  expect(told).toEqual([
    ['aaaa1111', usage, { usd, unpricedCalls: 0 }],
    ['bbbb2222', usage, { usd, unpricedCalls: 0 }],
    ['cccc3333', usage, { usd, unpricedCalls: 1 }],
  ])

  expect(usageReportSchema.parse(await place.json('usage')).total.cost).toEqual({
    usd: 0.00585,
    unpricedCalls: 1,
  })
  expect((await place.run('show', 'cccc3333', '--depth', 'all')).stdout).toContain('$0.0019+')
  expect((await place.run('show', 'bbbb2222', '--depth', 'all')).stdout).not.toContain('+')
  const { drift } = doctorSchema.parse(await place.json('doctor'))
  expect(drift.map(({ where, name }) => [where, name])).toEqual([['tokens', 'audio']])
})
