import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HtmlRenderer, Parser } from 'commonmark'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { marked } from 'marked'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { expect, test } from 'vitest'
import { runProgram } from '../../test/run-program.ts'
import { soundMarkdown } from './write-markdown.ts'

/** Renderers that accept HTML and every address, as far as they can be configured to. */
const markdownIt = new MarkdownIt({ html: true, linkify: true })
markdownIt.validateLink = () => true
const RENDERERS: Record<string, (text: string) => string> = {
  'markdown-it': (text) => markdownIt.render(text),
  marked: (text) => marked.parse(text, { async: false }),
  commonmark: (text) => new HtmlRenderer().render(new Parser().parse(text)),
  micromark: (text) =>
    micromark(text, {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    }),
}

/** Tags that renderers generate from Markdown, and the attributes they give them. */
const TAGS =
  /^(?:\/?(?:p|h[1-6]|ul|ol|li|blockquote|pre|code|em|strong|del|s|table|thead|tbody|tr|th|td|a|sup|section|br|hr|input|img))$/i
const ATTRIBUTES =
  /^(?:href|title|class|start|align|style|type|disabled|checked|id|aria-[a-z]+|data-footnote[a-z-]*|dir|src|alt)$/i

/** Parts of a rendered page that would run or be fetched: tags that Markdown does not have, handlers, addresses, pictures. */
function activeParts(html: string): string[] {
  const found: string[] = []
  for (const [whole, tag = '', attributes = ''] of html.matchAll(
    /<(\/?[A-Za-z][^\s/>]*|[!?][^>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/g,
  )) {
    if (!TAGS.test(tag) || /^img$/i.test(tag)) found.push(whole)
    for (const [, name = '', quoted = ''] of attributes.matchAll(/([^\s=/]+)(?:\s*=\s*"([^"]*)")?/g)) {
      if (!ATTRIBUTES.test(name)) found.push(whole)
      if (/^href$/i.test(name) && !isHarmless(quoted)) found.push(whole)
    }
  }
  return found
}

/** As a browser reads an attribute: decoded once, and without tabs and line breaks. */
function isHarmless(attribute: string): boolean {
  const address = attribute
    .replace(/&#x([0-9a-f]+);?/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&#(\d+);?/g, (_, decimal: string) => String.fromCodePoint(Number(decimal)))
    .replace(/&(?:colon|Tab|NewLine|amp);?/g, (name) =>
      name.startsWith('&c') ? ':' : name.startsWith('&a') ? '&' : '\t',
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what browsers leave out
    .replace(/[\u0000-\u0020]/g, '')
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(address) ?? []
  return scheme === undefined || /^(?:https?|mailto)$/i.test(scheme)
}

const ACTIVE = [
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](<javascript:alert(1)>)',
  '[a](<java\tscript:alert(1)>)',
  '[a](java&#115;cript:alert(1))',
  '[a](java&#x73cript:alert(1))',
  '[a](javascript&colon;alert(1))',
  '[a](java&Tab;script:alert(1))',
  '[a](java&NewLine;script:alert(1))',
  '[a](&#1;javascript:alert(1))',
  '[a](\u0001javascript:alert(1))',
  '[a](\\javascript:alert(1))',
  `[a](<java${'\u0001'.repeat(600)}script:alert(1)>)`,
  `[a](<java${'&#1;'.repeat(300)}script:alert(1)>)`,
  '[a](javascript\\:alert(1))',
  '[a](javascript&amp;colon;alert(1))',
  '[a](java&amp;#115;cript:alert(1))',
  '[a](vbscript:msgbox(1))',
  '[a](data:text/html,<script>alert(1)</script>)',
  '[a](data:text/html;base64,PHNjcmlwdD4= "title")',
  '[a](file:///etc/passwd)',
  '[a](vscode://file/etc/passwd)',
  '[a]( javascript:alert(1) "title")',
  '[a](\njavascript:alert(1))',
  '> [a](\n> javascript:alert(1))',
  '[a `]` b](javascript:alert(1))',
  '[![x](javascript:alert(1))](javascript:alert(2))',
  '[a][b]\n\n[b]: javascript:alert(1)',
  '[a][]\n\n[a]:\njavascript:alert(1)',
  '[a]\n\n[a]: <javascript:alert(1)> "t"',
  '> [a]\n\n> [a]: javascript:alert(1)',
  '- [a]\n\n  [a]: java&#115;cript:alert(1)',
  '<javascript:alert(1)>',
  '<JAVASCRIPT:alert(1)>',
  '<data:text/html,x>',
  '<a href=javascript:alert(1)>a</a>',
  '<a\nhref="javascript:alert(1)">a</a>',
  '<div>\n[a](javascript:alert(1))\n</div>',
  '<div>\n\n<img src=x onerror=alert(1)>\n\n</div>',
  '<script>alert(1)</script>',
  '<svg onload=alert(1)>',
  '<!-- --><img src=x>',
  '<?php ?><![CDATA[ ]]><!DOCTYPE html>',
  '`a\\`<img src=x onerror=alert(1)>`',
  '\\`<img src=x onerror=alert(1)>\\`',
  '` <img src=x onerror=alert(1)> ``',
  '`a\n` <img src=x> `',
  '- x\n  ```\n<img src=x onerror=alert(1)>',
  '- ```\n  a\n  ```\n<img src=x>',
  '- a\n    ```\n  ```\n  <img src=x>',
  '> ```\n<img src=x onerror=alert(1)>',
  '1. x\n   ~~~\n\n<img src=x onerror=alert(1)>\n\n[a](javascript:alert(1))',
  '![x](https://other.example/pixel.png)',
  '\\![x](https://other.example/pixel.png)',
  '\\\\![x](https://other.example/pixel.png)',
  '![x][p]\n\n[p]: https://other.example/pixel.png',
  '| a |\n|---|\n| [a](javascript:alert(1)) <img src=x> |',
  '| a | b |\n|---|---|\n| `<img src=x> | y` |',
  '>\\| a | b |\n|---|---|\n| `<img src=x> | y` |',
  '~~~ | a | b |\n|---|---|\n| `<img src=x> | y` |\n~~~\n\n<img src=y>',
  '>| a |\n|---|\n| `b |\n` <img src=x> `',
  '[^1]\n\n[^1]: [a](javascript:alert(1)) <img src=x>',
  '# [a](javascript:alert(1))\n\n**[a](javascript:alert(1))**',
  '~~~\n~~~ x\n~~~\n<img src=x>',
  '\ufeff<img src=x>',
  'a\0<img src=x>\r<img src=y>\r\n\t<img src=z>',
  '\t- x\n\n\t\t[a](javascript:alert(1))',
]

test.each(ACTIVE)('S12: nothing is active in %j', (text) => {
  const sound = soundMarkdown(text)
  for (const [name, render] of Object.entries(RENDERERS))
    expect([name, sound, activeParts(render(sound))]).toEqual([name, sound, []])
})

test('S12: these renderers obey what is active, so that this test can fail', () => {
  for (const [name, render] of Object.entries(RENDERERS)) {
    const seen = ACTIVE.filter((text) => activeParts(render(text)).length > 0)
    expect([name, seen.length > 40]).toEqual([name, true])
  }
})

test('S12: whatever is put together of such parts, nothing is active', () => {
  const part = fc.constantFrom(
    ...ACTIVE,
    ...['\n', '\n\n', ' ', '`', '``', '```', '```\n', '~~~', '\\', '[', ']', '](', ']: ', '(', ')', '<', '>'],
    ...[
      '- ',
      '> ',
      '1. ',
      '    ',
      '  ',
      '\t',
      '*',
      '|',
      '#',
      '!',
      '"',
      'a',
      'javascript:',
      '&lt;',
      '<b',
      '<!--',
      '-->',
    ],
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const sound = soundMarkdown(parts.join(''))
      for (const [name, render] of Object.entries(RENDERERS))
        expect([name, sound, activeParts(render(sound))]).toEqual([name, sound, []])
    }),
    { numRuns: Number(process.env.RUNS ?? 400) },
  )
})

test('S12: code and harmless links stay as they are', () => {
  const text = [
    'See [the page](https://example.org/a?b=c#d "t"), [mail](mailto:a@b.example), [file](src/a.ts), [part](#part), [r].',
    '[r]: http://example.org',
    '`[a](javascript:alert(1))` and ``<img src=x> ` ``',
    '```html\n<a href="javascript:alert(1)">a</a>\n[a](javascript:alert(1))\n```',
    '> ```\n> <b>\n> ```',
    '- x\n\n  ~~~\n  <b> [a](javascript:x)\n  ~~~',
    'Text\n\n    <b> [a](javascript:x)',
    '| type | |\n|---|---|\n| `Vec<T>` | ``[a](b:c)`` |',
    '1. x\n   ```html\n   <b>\n\n   </b>\n   ```\n2. `<b>`',
    'Text, at the end:\n\n  ```html\n<b>\n  ```',
  ].join('\n\n')
  expect(soundMarkdown(text)).toBe(text)
})

test('S12: a link that is no link any more can still be read', () => {
  expect(soundMarkdown('Click [here](javascript:alert(1)) <javascript:x>')).toBe(
    'Click [here]\\(javascript:alert(1)) &lt;javascript:x>',
  )
})

test('S12: what is large or nested deeply costs no more than its length', () => {
  for (const unit of [
    '[',
    '![',
    '<b ',
    '](',
    '> ',
    '- ',
    '`',
    '*a',
    '[a](',
    '<!--',
    '``` ',
    '[a]: ',
    '|',
    '&#1;',
    '\\[',
    '\\',
  ])
    soundMarkdown(`${unit.repeat(Math.floor(40_000 / unit.length))}<b>`)
})

test('S12: nothing is active in a whole export, whatever field of a session tries', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
  try {
    const hostile = '<img src=x onerror=alert(1)> [a](javascript:alert(1)) `<svg onload=x>'
    const chats = join(folder, '.gemini', 'tmp', 'shop', 'chats')
    mkdirSync(chats, { recursive: true })
    const timestamp = '2026-11-20T10:00:00.000Z'
    const call = {
      ...{ id: 'c', name: hostile, args: { [hostile]: hostile }, status: 'error', timestamp },
      ...{ displayName: hostile, description: hostile, resultDisplay: hostile },
    }
    const records = [
      { sessionId: 'hostile-1', projectHash: 'f'.repeat(64), startTime: timestamp, lastUpdated: timestamp },
      { id: 'u', timestamp, type: 'user', content: [{ text: `${hostile}\n\n${ACTIVE.join('\n\n')}` }] },
      {
        ...{ id: 'g', timestamp, type: 'gemini', model: hostile, content: ACTIVE.join('\n') },
        thoughts: [{ subject: hostile, description: hostile, timestamp }],
        toolCalls: [call],
      },
      { id: 'i', timestamp, type: 'info', content: hostile },
    ]
    writeFileSync(
      join(chats, 'session-2026-11-20T10-00-hostile1.jsonl'),
      records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    )
    const where = ['--home', folder, '--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
    const {
      code,
      stdout: markdown,
      stderr,
    } = await runProgram(['export', 'hostile-1', '--format', 'markdown', '--depth', 'all', ...where], {
      HOME: folder,
    })
    expect([code, stderr]).toEqual([0, expect.stringContaining('Redacted in 0 places.')])
    expect(markdown).toContain('[a]\\(javascript:alert(1))')
    for (const [name, render] of Object.entries(RENDERERS)) {
      const own = /^<\/?(?:details|summary|sub)>$/
      expect([name, activeParts(render(markdown)).filter((part) => !own.test(part))]).toEqual([name, []])
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
