import { expect, it } from 'vitest'
import { makeMessage } from '../../../../../packages/session-index/test/make-session.ts'
import { findInMessages } from './walk-messages.ts'

const said = ['a needle', 'hay', 'one more needle', 'hay', 'the last needle']
const session = {
  kind: 'main' as const,
  files: [],
  messages: said.map((text, at) => makeMessage({ key: `m${at}`, content: [{ kind: 'text', text }] })),
}

it('a find whose time is over has searched one message, and goes on behind it', async () => {
  const found: string[] = []
  const offsets: (number | null)[] = []
  for (let offset: number | null = 0; offset !== null && offsets.length < 9; ) {
    const part = await findInMessages(
      'key',
      session,
      { mode: 'regex', tree: null, pattern: 'needle$', offset, limitMs: 0 },
      async (batch) => [...batch],
    )
    found.push(...part.hits.map(({ messageKey, offset: at }) => `${messageKey} ${at}`))
    offset = part.partial?.nextOffset ?? null
    offsets.push(offset)
  }
  expect(found).toEqual(['m0 0', 'm2 2', 'm4 4'])
  expect(offsets).toEqual([1, 2, 3, 4, null])
})
