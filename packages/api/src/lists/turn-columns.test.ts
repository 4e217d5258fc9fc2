import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { buildOutline, type Turn } from 'gemini-sessions'
import { readSessions } from 'gemini-sessions/node'
import { expect, it } from 'vitest'
import { fromTurnColumns, toTurnColumns } from './turn-columns.ts'

const HOMES = fileURLToPath(new URL('../../../../fixtures/homes/', import.meta.url))

it('the turns of real sessions come back as they were, and take less', async () => {
  const homes = readdirSync(HOMES).map((name) => join(HOMES, name))
  let [plain, columns] = [0, 0]
  for await (const { session } of readSessions({ homes })) {
    const { turns } = buildOutline(session)
    const sent = JSON.stringify(toTurnColumns(turns))
    expect(fromTurnColumns(JSON.parse(sent))).toEqual(turns)
    plain += JSON.stringify(turns).length
    columns += sent.length
  }
  expect(plain).toBeGreaterThan(0)
  expect(columns).toBeLessThan(plain)
})

const time = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom(null, '', 'yesterday', '2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000+02:00'),
)

it('times come back however they are written', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(time, time)), (times) => {
      const turns = times.map(([startTime, endTime], index) => ({
        ...EMPTY,
        number: index + 1,
        startTime,
        endTime,
      }))
      expect(fromTurnColumns(toTurnColumns(turns))).toEqual(turns)
    }),
  )
})

const EMPTY: Turn = {
  number: 1,
  messageKey: 'm',
  firstOffset: 0,
  messageCount: 0,
  prompt: '',
  startTime: null,
  endTime: null,
  superseded: null,
  segment: 0,
  usage: { input: 0, output: 0, cached: 0, thoughts: 0, tool: 0, total: 0, calls: 0, callsWithoutTokens: 0 },
  cost: { usd: null, unpricedCalls: 0 },
  toolCalls: 0,
  toolErrors: 0,
  failedKey: null,
  thoughts: 0,
  failure: null,
}
