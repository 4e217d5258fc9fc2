import { describe, expect, it } from 'vitest'
import { splitPrompt } from './prompt.ts'

const CONTEXT = '<session_context>\nThis is the Gemini CLI.\n</session_context>'
const START = '--- Content from referenced files ---'
const END = '--- End of content ---'

describe('what a person typed', () => {
  it.each([
    ['a plain string', 'Hello', undefined, 'Hello', []],
    ['a list of parts', [{ text: 'Hello' }], undefined, 'Hello', []],
    [
      'context as a part of its own',
      [{ text: CONTEXT }, { text: 'Hello' }],
      undefined,
      'Hello',
      [['', CONTEXT]],
    ],
    ['context in the same text', `${CONTEXT}\n\nHello`, undefined, 'Hello', [['', CONTEXT]]],
    [
      'hook context behind it',
      [{ text: 'Hello' }, { text: '<hook_context>be kind</hook_context>' }],
      undefined,
      'Hello',
      [['', '<hook_context>be kind</hook_context>']],
    ],
    [
      'an expansion in one string (up to 0.27)',
      `Explain @a.js @b.js\n${START}\nContent from @a.js:\nlet a\nContent from @b.js:\nlet b\n${END}`,
      undefined,
      'Explain @a.js @b.js',
      [
        ['a.js', 'let a'],
        ['b.js', 'let b'],
      ],
    ],
    [
      'a picture alone in one string (up to 0.27), of which only the kind is told',
      `Look at @a.png\n${START}<image/png>\n${END}`,
      undefined,
      'Look at @a.png',
      [['', '<image/png>']],
    ],
    [
      'a picture and a file in one string',
      `Look at @a.png @b.js\n${START}<image/png>\nContent from @b.js:\nlet b\n${END}`,
      undefined,
      'Look at @a.png @b.js',
      [
        ['', '<image/png>'],
        ['b.js', 'let b'],
      ],
    ],
    [
      'A7: words behind the end marker on its own line, in one string',
      `Explain @a.js\n${START}\nContent from @a.js:\nlet a\n${END} and be brief`,
      undefined,
      'Explain @a.js\nand be brief',
      [['a.js', 'let a']],
    ],
    [
      'A7: words behind the end marker on its own line, in a part of its own',
      [
        { text: 'Explain @a.js' },
        { text: `\n${START}` },
        { text: '\nContent from @a.js:\n' },
        { text: 'let a' },
        { text: `\n${END} and be brief` },
      ],
      undefined,
      'Explain @a.js\nand be brief',
      [['a.js', 'let a']],
    ],
    [
      'an expansion without end marker',
      `Explain @a.js\n${START}\nContent from @a.js:\nlet a`,
      undefined,
      'Explain @a.js',
      [['a.js', 'let a']],
    ],
    [
      'an expansion in parts (0.28+)',
      [
        { text: 'Explain @a.js' },
        { text: `\n${START}` },
        { text: '\nContent from @a.js:\n' },
        { text: 'let a' },
        { text: `\n${END}` },
      ],
      [{ text: 'Explain @a.js' }],
      'Explain @a.js',
      [['a.js', 'let a']],
    ],
    [
      'the long form of a custom command',
      [{ text: 'Do this and that' }],
      '/tidy',
      '/tidy',
      [['', 'Do this and that']],
    ],
    [
      'a prompt that quotes the marker',
      `Why does "${START}" appear?`,
      undefined,
      `Why does "${START}" appear?`,
      [],
    ],
    ['a prompt about the tags', 'What is <session_context>?', undefined, 'What is <session_context>?', []],
  ])('%s', (_, content, displayContent, typed, attachments) => {
    const split = splitPrompt(content, displayContent)
    const texts = split.said.map((part) => (part as { text: string }).text)
    expect(texts.join('\n')).toBe(typed)
    expect(split.attachments).toEqual(attachments.map(([path, text]) => ({ path, text })))
  })

  it('keeps a picture that was referenced', () => {
    const picture = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
    const content = [
      { text: 'Look at @a.png' },
      { text: `\n${START}` },
      { text: '\nContent from @a.png:\n' },
      picture,
      { text: `\n${END}` },
    ]
    expect(splitPrompt(content, [{ text: 'Look at @a.png' }]).said).toEqual([
      { text: 'Look at @a.png' },
      picture,
    ])
  })

  it('leaves the markers out where nothing but a picture was referenced', () => {
    const picture = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
    const content = [{ text: 'Look at @a.png' }, { text: `\n${START}` }, picture, { text: `\n${END}` }]
    expect(splitPrompt(content, undefined)).toEqual({
      said: [{ text: 'Look at @a.png' }, picture],
      attachments: [],
    })
  })
})
