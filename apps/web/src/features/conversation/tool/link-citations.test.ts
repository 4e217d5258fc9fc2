import { expect, test } from 'vitest'
import { linkCitations } from './results.ts'

const link = (text: string) => linkCitations(text, [1, 2], (number) => `#s-${number}`)

test('numbers of sources become links to them', () => {
  expect(link('Halves go up[1]. So says both[1][2].')).toBe(
    'Halves go up[\\[1\\]](#s-1). So says both[\\[1\\]](#s-1)[\\[2\\]](#s-2).',
  )
})

test.each([
  'a number of no source [3]',
  'an index in code `list[1]`',
  '```js\nlist[1] = 2\n```',
  '```js\nlist[1] in a block that never ends',
  'a link [1](https://example.org)',
  '[1]: https://example.org',
])('%s stays as it is', (text) => {
  expect(link(text)).toBe(text)
})
