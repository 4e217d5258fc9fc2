import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeBlock, plainInMarkdown, soundMarkdown } from './write-markdown.ts'

test.each([
  ['```js\nlet a', '```js\nlet a\n```'],
  ['~~~~\n```\n~~~', '~~~~\n```\n~~~\n~~~~'],
  ['```\n<b>\n```\n<b>', '```\n<b>\n```\n&lt;b>'],
  ['a </details> b', 'a &lt;/details> b'],
  ['`<b>` and <b>, 1 < 2', '`<b>` and &lt;b>, 1 < 2'],
  ['![seen](https://other.example/pixel.png)', '\\![seen](https://other.example/pixel.png)'],
  ['<!-- hidden', '&lt;!-- hidden'],
])('%j becomes %j', (text, expected) => {
  expect(soundMarkdown(text)).toBe(expected)
})

test('a fence is longer than any in the code, and no word of a file has a meaning in a line', () => {
  expect(codeBlock('````\n``````')).toBe('```````\n````\n``````\n```````')
  expect(plainInMarkdown('a_b <img> [x](y) `z`\nw')).toBe('a\\_b \\<img\\> \\[x\\](y) \\`z\\` w')
})

test('whatever a message holds, what comes after it is not inside of it', () => {
  const line = fc.constantFrom(
    '```',
    '````js',
    '~~~',
    '   ```',
    '    ```',
    '<div>',
    'text',
    '> ```',
    '``` a`b',
    '`<p>`',
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const once = soundMarkdown(lines.join('\n'))
      // nothing is left open: a fence after it opens, and the next call closes it
      expect(soundMarkdown(`${once}\n\`\`\``).endsWith('\n```\n```')).toBe(true)
    }),
  )
})
