import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { costWhySchema } from '@gemini-dash/api'
import { addCost, addSplits, ContextXrayBuilder, NO_COST, spentMessages, usageBuckets } from 'gemini-sessions'
import { readSessions } from 'gemini-sessions/node'
import { expect, it } from 'vitest'
import { priceCall } from '../src/cost/price-call.ts'
import { explainWhy } from '../src/why/explain-why.ts'
import { splitSession } from '../src/why/split-session.ts'

const folder = (path: string) => fileURLToPath(new URL(`../../../fixtures/${path}`, import.meta.url))
const homesIn = (path: string) =>
  readdirSync(folder(path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [folder(`${path}/${entry.name}`)] : [],
  )
const HOMES = [...homesIn('homes'), folder('home')]

const sum = (amounts: readonly number[]) =>
  amounts.reduce((total, usd) => addCost(total, { usd, unpricedCalls: 0 }), NO_COST).usd

it('C8: on all samples the items add up to the cost of the session, and buckets hold the same', async () => {
  const met = new Set<string>()
  let sessions = 0
  for await (const { session, summary } of readSessions({ homes: HOMES, priceCall })) {
    const builder = new ContextXrayBuilder(session)
    builder.add(session.messages)
    const why = costWhySchema.parse(explainWhy(spentMessages(session), builder.finish(priceCall)))
    sessions += 1
    expect([summary.key, why.total]).toEqual([summary.key, summary.cost?.usd])
    if (why.total !== null)
      expect([summary.key, sum(why.items.map(({ usd }) => usd))]).toEqual([summary.key, why.total])
    for (const { kind, usd } of why.items) {
      met.add(kind)
      expect(usd).toBeGreaterThanOrEqual(0)
    }
    const went = usageBuckets(session, priceCall, splitSession(session))
      .map((bucket) => bucket.went ?? null)
      .reduce(addSplits, null)
    for (const kind of ['superseded', 'tier', 'resent', 'thoughts'] as const)
      expect([kind, went?.[kind] ?? 0]).toEqual([
        kind,
        why.items.find((item) => item.kind === kind)?.usd ?? 0,
      ])
  }
  expect(sessions).toBeGreaterThan(80)
  expect([...met].sort()).toEqual(['resent', 'rest', 'superseded', 'thoughts', 'tier'])
})
