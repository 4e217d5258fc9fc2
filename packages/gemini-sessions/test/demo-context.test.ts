import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ContextXrayBuilder } from '../src/derive/context.ts'
import type { Session } from '../src/model/message.ts'
import { readSessions } from '../src/node/list-sessions.ts'

const DEMO_HOME = fileURLToPath(new URL('../../../fixtures/home', import.meta.url))

/** The share of each call's input that the log or the CLI's own instructions explain. */
function explainedShares(session: Session): number[] {
  const builder = new ContextXrayBuilder(session)
  builder.add(session.messages)
  const { blocks, calls } = builder.finish(() => null)
  const unrecorded = blocks.findIndex(({ kind }) => kind === 'unrecorded')
  return calls.map(({ input, tokens }) => 1 - (tokens[unrecorded] ?? 0) / input)
}

test('C15: the demo explains at least 70 % of every prompt that it shows the context of', async () => {
  const least: Record<string, number> = {}
  let prompts = 0
  for await (const { session, summary } of readSessions({ homes: [DEMO_HOME] })) {
    const shares = explainedShares(session)
    prompts += shares.length
    least[`${summary.title} (${session.startTime})`] = Math.min(1, ...shares)
  }
  expect(prompts).toBeGreaterThan(300)
  expect(Object.entries(least).filter(([, share]) => share < 0.7)).toEqual([])
})
