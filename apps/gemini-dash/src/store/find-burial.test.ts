import type { Message } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { messageFixture } from '../../test/message-fixture.ts'
import { findBuried } from './message-page.ts'

const context = messageFixture({ key: 'context', type: 'user', origin: 'injected' })
const lost = (superseded: Message['superseded']) => messageFixture({ key: 'lost', superseded })
const causeOf = (...messages: Message[]) => findBuried({ buried: true, drawnKeys: ['lost'], messages })

test('the cause of a burial is how its last conversation was lost', () => {
  expect(causeOf(context, lost('rewound'))).toBe('rewound')
  expect(causeOf(context, lost('aborted'))).toBe('refused')
  expect(causeOf(lost('replaced'), context)).toBe('failed-load')
  expect(causeOf(lost('replaced'))).toBe('cleared')
})

test('a session that is not buried has no cause', () => {
  expect(findBuried({ buried: false, drawnKeys: null, messages: [context] })).toBeNull()
})
