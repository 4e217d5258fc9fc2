import { HtmlRenderer, Parser } from 'commonmark'
import fc from 'fast-check'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { expect, test } from 'vitest'
import { soundMarkdown } from './sound-markdown.ts'

/** Renderers that obey HTML and every address. */
const RENDERERS: Record<string, (text: string) => string> = {
  commonmark: (text) => new HtmlRenderer().render(new Parser().parse(text)),
  micromark: (text) => micromark(text, { allowDangerousHtml: true, allowDangerousProtocol: true }),
  GitHub: (text) =>
    micromark(text, {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    }),
}

/** Tags that renderers make of Markdown. */
const TAGS =
  /^\/?(?:p|h[1-6]|ul|ol|li|blockquote|pre|code|em|strong|del|table|thead|tbody|tr|th|td|a|sup|section|br|hr|input)$/i

/** Tags that Markdown has not, pictures, and links that are no pages, mails or files. */
function activeParts(html: string): string[] {
  return [...html.matchAll(/<(\/?[A-Za-z][^\s/>]*|[!?])((?:[^>"']|"[^"]*"|'[^']*')*)>/g)]
    .filter(([, tag = '', attributes = '']) => {
      const [, href] = /href="([^"]*)"/i.exec(attributes) ?? []
      return !TAGS.test(tag) || /\son\w+=/i.test(attributes) || (href !== undefined && !isHarmless(href))
    })
    .map(([whole]) => whole)
}

/** As a browser reads it: decoded once, and without spaces and control characters. */
function isHarmless(attribute: string): boolean {
  const address = attribute
    .replace(/&#x([0-9a-f]+);?/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&#(\d+);?/g, (_, decimal: string) => String.fromCodePoint(Number(decimal)))
    .replace(/&(?:colon|Tab|NewLine);?/g, (name) => (name.startsWith('&c') ? ':' : '\t'))
    .replace(/[\p{Cc} ]/gu, '')
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
  `[a](<java${'\u0001'.repeat(600)}script:alert(1)>)`,
  '[a](javascript\\:alert(1))',
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
  '<data:text/html,x>',
  '<a href=javascript:alert(1)>a</a>',
  '<a\nhref="javascript:alert(1)">a</a>',
  '<div>\n[a](javascript:alert(1))\n</div>',
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
  '[^1]\n\n[^1]: [a](javascript:alert(1)) <img src=x>',
  '# [a](javascript:alert(1))\n\n**[a](javascript:alert(1))**',
  '~~~\n~~~ x\n~~~\n<img src=x>',
  '\ufeff<img src=x>',
  'a\0<img src=x>\r<img src=y>\r\n\t<img src=z>',
]

test.each(ACTIVE)('nothing is active in %j', (text) => {
  const sound = soundMarkdown(text)
  for (const [name, render] of Object.entries(RENDERERS))
    expect([name, sound, activeParts(render(sound))]).toEqual([name, sound, []])
})

test('these renderers obey what is active, so that this test can fail', () => {
  for (const [name, render] of Object.entries(RENDERERS)) {
    const seen = ACTIVE.filter((text) => activeParts(render(text)).length > 0)
    expect([name, seen.length > 40]).toEqual([name, true])
  }
})

test('whatever is put together of such parts, nothing is active', () => {
  const marks =
    '\n|\n\n| |`|``|```|```\n|~~~|\\|[|]|](|]: |(|)|<|>|- |> |1. |    |  |\t|*|#|!|"|a|javascript:|&lt;|<b|<!--|-->'
  const part = fc.constantFrom(...ACTIVE, ...marks.split('|'), '|')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const sound = soundMarkdown(parts.join(''))
      for (const [name, render] of Object.entries(RENDERERS))
        expect([name, sound, activeParts(render(sound))]).toEqual([name, sound, []])
    }),
    { numRuns: Number(process.env.RUNS ?? 400) },
  )
})

test('code and harmless links stay as they are', () => {
  const text = [
    'See [the page](https://example.org/a?b=c#d "t"), [mail](mailto:a@b.example), [file](src/a.ts), [part](#part), [r].',
    '[r]: http://example.org',
    '`[a](javascript:alert(1))` and ``<img src=x> ` ``',
    '```html\n<a href="javascript:alert(1)">a</a>\n[a](javascript:alert(1))\n```',
    '- x\n\n  ~~~\n  <b> [a](javascript:x)\n  ~~~',
    '1. x\n   ```html\n   <b>\n\n   </b>\n   ```\n2. `<b>`',
    'Text, at the end:\n\n  ```html\n<b>\n  ```',
    '| type |\n|---|\n| `Vec<T>` |',
  ].join('\n\n')
  expect(soundMarkdown(text)).toBe(text)
})

test('a link that is no link any more can still be read', () => {
  expect(soundMarkdown('Click [here](javascript:alert(1)) <javascript:x>')).toBe(
    'Click [here]\\(javascript:alert(1)) &lt;javascript:x>',
  )
})
