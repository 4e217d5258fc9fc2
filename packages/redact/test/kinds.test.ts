import { expect, test } from 'vitest'
import { redactText } from '../src/index.ts'
import { KINDS } from './secret-places.ts'

const shapes = Object.entries(KINDS).flatMap(([kind, places]) =>
  places.map(([text, secret]): [string, string, string] => [kind, text, secret]),
)

test.each(shapes)('S22: %s: %s', (_, text, secret) => {
  expect(redactText(`before\n${text}\nafter`).text).not.toContain(secret)
  // in a JSON string, as logs contain the output of others
  const inJson = redactText(JSON.stringify({ output: `before\n${text}\nafter` })).text
  expect(inJson).not.toContain(JSON.stringify(secret).slice(1, -1))
})

test('S22: what was redacted is not changed by a second time', () => {
  for (const [, text] of shapes) {
    const once = redactText(text).text
    expect(redactText(once).text).toBe(once)
  }
})
