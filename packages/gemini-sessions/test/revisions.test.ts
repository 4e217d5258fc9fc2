import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stitchGroup } from '../src/derive/stitch.ts'
import { sumUsage } from '../src/derive/sums.ts'
import type { Message } from '../src/model/message.ts'
import { at, logFile, type Row } from './make-file.ts'

/** One row of a model message: any field may be missing. */
const revision = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  text: fc.option(fc.constantFrom('', 'one', 'two', 'three'), { nil: undefined }),
  thought: fc.option(fc.constantFrom('plan', 'look'), { nil: undefined }),
  calls: fc.option(fc.subarray(['c1', 'c2']), { nil: undefined }),
  model: fc.option(fc.constantFrom('pro', 'flash'), { nil: undefined }),
  total: fc.option(fc.nat(3), { nil: undefined }),
  isRewrite: fc.boolean(),
})
type Revision = typeof revision extends fc.Arbitrary<infer T> ? T : never

function toRow({ id, text, thought, calls, model, total }: Revision): Row {
  return {
    id,
    type: 'gemini',
    timestamp: at(1),
    // Texts are unique to their message: equal ones could make one message a copy of another (rule 4).
    content: text && `${id} ${text}`,
    thoughts: thought === undefined ? undefined : [{ subject: thought, description: '', timestamp: at(1) }],
    // Call ids are unique to their message.
    toolCalls: calls?.map((call) => ({ id: `${id}${call}`, name: 'glob', args: {}, status: 'success' })),
    model,
    tokens: total === undefined ? null : { input: total, output: 0, total },
  }
}

/** Contract rule 3, implemented literally, one message and one field at a time. */
function expectedOf(id: string, revisions: readonly Revision[]) {
  const rows = revisions.filter((row) => row.id === id)
  const lastOrdinary = rows.findLastIndex((row) => !row.isRewrite)
  const pick = <T>(read: (row: Revision) => T | undefined): T | undefined => {
    const own = rows[lastOrdinary] && read(rows[lastOrdinary])
    if (own !== undefined) return own
    // Rewrites only add what no ordinary row had: the first after that row; all of them if there is none.
    const rewrites = rows.slice(lastOrdinary + 1).map(read)
    const filled = rewrites.filter((value) => value !== undefined)
    return lastOrdinary === -1 ? filled.at(-1) : filled[0]
  }
  return {
    text: pick(({ text }) => (text ? `${id} ${text}` : undefined)) ?? '',
    thought: pick(({ thought }) => thought) ?? null,
    calls: (pick(({ calls }) => (calls?.length ? calls : undefined)) ?? []).map((call) => `${id}${call}`),
    model: pick(({ model }) => model) ?? null,
    total: rows.findLast(({ total }) => (total ?? 0) > 0)?.total ?? null,
  }
}

function shownOf({ content, thoughts, toolCalls, model, usage }: Message) {
  return {
    text: content.map((part) => (part.kind === 'text' ? part.text : '')).join(''),
    thought: thoughts[0]?.subject ?? null,
    calls: toolCalls.map((call) => call.id),
    model,
    total: usage?.total ?? null,
  }
}

it('merges the rows of a message field by field', () => {
  fc.assert(
    fc.property(fc.array(revision, { minLength: 1, maxLength: 10 }), (revisions) => {
      const records = revisions.map((row) => (row.isRewrite ? [toRow(row)] : toRow(row)))
      const messages = stitchGroup([logFile({ start: 1 }, records)]).flatMap((session) => session.messages)
      expect(messages.map(({ id }) => id).sort()).toEqual([...new Set(revisions.map(({ id }) => id))].sort())
      for (const message of messages) {
        expect(shownOf(message)).toEqual(expectedOf(message.id, revisions))
      }
      // Contract rule 11: revisions are never summed.
      const totals = [...new Set(revisions.map(({ id }) => id))].map(
        (id) => expectedOf(id, revisions).total ?? 0,
      )
      expect(sumUsage(messages).total).toBe(totals.reduce((sum, total) => sum + total, 0))
    }),
    { numRuns: 1000 },
  )
})
