import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { addCost, addSplits, NO_COST, usageBuckets } from 'gemini-sessions'
import { readSessions } from 'gemini-sessions/node'
import { beforeAll, expect, it } from 'vitest'
import { priceCall } from '../src/cost.ts'
import type { WhyPart } from '../src/why/explain-why.ts'
import { explainWhy } from '../src/why/explain-why.ts'
import { ReasonFinder } from '../src/why/reason-finder.ts'

const folder = (path: string) => fileURLToPath(new URL(`../../../fixtures/${path}`, import.meta.url))
const homesIn = (path: string) =>
  readdirSync(folder(path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [folder(`${path}/${entry.name}`)] : [],
  )
const HOMES = [...homesIn('homes'), folder('home')]

const sum = (amounts: readonly number[]) =>
  amounts.reduce((total, usd) => addCost(total, { usd, unpricedCalls: 0 }), NO_COST).usd

interface Member extends WhyPart {
  parentKey: string | null
  usd: number | null
  paidFor: number | null
}
const members: Member[] = []

beforeAll(async () => {
  for await (const { session, summary } of readSessions({ homes: HOMES, priceCall })) {
    const finder = new ReasonFinder(session)
    finder.add(session.messages)
    const { reasons, paidFor } = finder.finish()
    if (reasons === null) {
      expect([summary.key, summary.cost?.usd]).toEqual([summary.key, null])
      continue
    }
    const { key, title, parentKey, cost } = summary
    const split = usageBuckets(session, priceCall, paidFor)
      .map((bucket) => bucket.paidFor ?? null)
      .reduce(addSplits, null)
    const kinds = split === null ? [] : Object.values(split)
    members.push({ key, title, parentKey, reasons, usd: cost?.usd ?? null, paidFor: sum(kinds) })
  }
})

/** A session with the sub-agents below it. */
function familyOf(member: Member): Member[] {
  const below = members.filter(({ parentKey }) => parentKey === member.key)
  return [member, ...below.flatMap(familyOf)]
}

it('C8: on all samples reasons, turns and lines add up to the cost of the session', () => {
  const causes = new Set<string>()
  for (const member of members) {
    const { key, usd, reasons, paidFor } = member
    const parts = [...reasons.reasons, ...reasons.turns, reasons.others]
    expect([key, reasons.usd, sum(parts.map((part) => part.usd))]).toEqual([key, usd, usd])
    expect([key, parts.reduce((count, { requests }) => count + requests, 0)]).toEqual([key, reasons.requests])
    expect([key, (paidFor ?? 0) <= (usd ?? 0)]).toEqual([key, true])
    const family = familyOf(member)
    const why = explainWhy(key, family)
    expect([key, sum(why.lines.map((line) => line.usd))]).toEqual([key, why.total])
    expect([key, why.total]).toEqual([key, sum(family.map((each) => each.usd ?? 0))])
    expect([key, why.lines.length <= 4]).toEqual([key, true])
    expect([key, why.lines.reduce((total, { percent }) => total + percent, 0)]).toEqual([
      key,
      why.total === 0 ? 0 : 100,
    ])
    for (const { cause } of why.lines) causes.add(cause)
  }
  expect(members.length).toBeGreaterThan(80)
  expect([...causes].sort()).toEqual([
    'cold-cache',
    'dropped',
    'large-result',
    'other',
    'rewound',
    'small-prompts',
    'turns',
  ])
})

it('C8: of sessions above $0.05 at most a fifth is left without a reason', () => {
  const shares = members.flatMap((member) => {
    const { total, lines } = explainWhy(member.key, familyOf(member))
    if (total === null || total <= 0.05) return []
    return (lines.find(({ cause }) => cause === 'other')?.usd ?? 0) / total
  })
  expect(shares.length).toBeGreaterThan(10)
  expect(Math.max(...shares)).toBeLessThanOrEqual(0.2)
})
