import { expect, test } from 'vitest'
import { messageAnchor } from '../../lib/session-words.ts'
import { messageKeyOf, messagePartOf } from './message-link.ts'

test.each([
  ['abc', null],
  ['abc~2', null],
  ['abc', 'call-0'],
  ['abc~2', 'thought-11'],
])('the link to %s, %s leads back to it', (key, part) => {
  const hash = `#${messageAnchor(key, part)}`
  expect([messageKeyOf(hash), messagePartOf(hash)]).toEqual([key, part])
})

test('a hash that is no message is none', () => {
  expect([messageKeyOf('#files'), messagePartOf('#files~call-1')]).toEqual([null, null])
})
