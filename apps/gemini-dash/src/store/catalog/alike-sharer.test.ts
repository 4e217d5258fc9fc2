import { NO_USAGE } from 'gemini-sessions'
import { expect, it } from 'vitest'
import { recordFixture } from '../fixtures/record-fixture.ts'
import { AlikeSharer } from './alike-sharer.ts'

const usage = { ...NO_USAGE, input: 7, total: 7, calls: 1 }
const cost = { usd: 0.5, unpricedCalls: 0 }
const file = { home: '/h', path: 'a.jsonl', sizeBytes: 1, format: 'jsonl', role: 'current' } as const
const failures = { tools: 1, refused: 0, unanswered: 0 }
const record = recordFixture(
  { usage, cost, liveUsage: usage, withSubagents: { usage, cost, toolCalls: 3, failures }, files: [file] },
  {
    buckets: [
      { quarterHour: '2026-01-01T00:00:00.000Z', model: 'gemini-2.5-pro', usage, cost },
      { quarterHour: null, model: null, usage: { ...usage, cached: 1 }, cost: { ...cost, usd: null } },
    ],
    tools: [{ name: 'glob', calls: 1, errors: 0, outputTokensEstimate: 3, maxTimeMs: 5, timedCalls: 1 }],
  },
)

it('changes nothing of what a record says', () => {
  const sharer = new AlikeSharer()
  expect(sharer.share(structuredClone(record))).toEqual(record)
  const bare = recordFixture({ usage: null, cost: null, liveUsage: null, models: null, firstPrompt: null })
  expect(sharer.share(structuredClone(bare))).toEqual(bare)
})

it('holds equal sums once', () => {
  const { summary, buckets } = new AlikeSharer().share(JSON.parse(JSON.stringify(record)))
  expect(summary.liveUsage).toBe(summary.usage)
  expect(summary.withSubagents.usage).toBe(summary.usage)
  expect(summary.withSubagents.cost).toBe(summary.cost)
  expect(buckets[0]?.usage).toBe(summary.usage)
  expect(buckets[1]?.usage).not.toBe(summary.usage)
})
