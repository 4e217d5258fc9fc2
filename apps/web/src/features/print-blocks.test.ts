import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printBlocks } from './session-print.tsx'

test('who spoke, thoughts, words and code are told apart', () => {
  const markdown = [
    '## Gemini, gemini-2.5-pro, 2026-11-21T16:31:37.320Z',
    '',
    '> **Thought: Look first**',
    '> I should read it.',
    '',
    'I read it.',
    '## Not a speaker',
    '',
    '**ReadFile (success)**',
    '',
    '````json',
    '{ "a": "```" }',
    '````',
  ].join('\n')
  expect(printBlocks(markdown)).toEqual([
    { kind: 'head', text: 'Gemini, gemini-2.5-pro, 2026-11-21T16:31:37.320Z' },
    { kind: 'quote', text: '**Thought: Look first**\nI should read it.' },
    { kind: 'text', text: 'I read it.\n## Not a speaker\n\n**ReadFile (success)**' },
    { kind: 'code', text: '{ "a": "```" }' },
  ])
})

test('a fence that is never closed holds the rest', () => {
  expect(printBlocks('```\na\n\n## You\nb')).toEqual([{ kind: 'code', text: 'a\n\n## You\nb' }])
})

test('no word is lost, whatever was written', () => {
  const line = fc.oneof(
    fc.constantFrom('', '```', '````js', '~~~', '> ', '>', '## You', '## You, now', '> > a'),
    fc.string({ maxLength: 12 }).map((text) => text.replaceAll('\n', ' ')),
  )
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const kept = printBlocks(lines.join('\n'))
        .map(({ text }) => text)
        .join(' ')
      const words = lines
        .filter((each) => !/^(`{3,}|~{3,})/.test(each))
        .flatMap((each) => each.match(/\w+/g) ?? [])
      for (const word of words) expect(kept).toContain(word)
    }),
  )
})
