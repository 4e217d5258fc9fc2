import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sessionPath, transcriptSchema } from '@gemini-dash/api'
import { HtmlRenderer, Parser } from 'commonmark'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestServer } from '../../test/open-test-server.ts'
import { runProgram } from '../../test/run-program.ts'
import { eventsOf, withoutCalls } from '../redaction/inert-mentions.ts'
import { plainInMarkdown, soundMarkdown } from './write-markdown.ts'

const markdownIt = new MarkdownIt({ html: true, linkify: true })
const RENDERERS: Record<string, (text: string) => string> = {
  micromark: (text) =>
    micromark(text, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] }),
  'markdown-it': (text) => markdownIt.render(text),
  commonmark: (text) => new HtmlRenderer().render(new Parser().parse(text)),
}

/** What GitHub and GitLab turn into links, in text outside of code and links, and in the target of a link. */
const CALLS = /(?<![A-Za-z0-9_])@[A-Za-z0-9-]|#\d|(?<![A-Za-z0-9])GH-\d|!\d/gi
const THREAD = /^(?:https?:\/\/(?:www\.)?github\.com)\/[^/]+\/[^/]+\/(?:issues|pull|discussions)\/\d/i
const QUIET = /^(?:pre|code|a|script|style)$/i

/** What would notify someone, or add an entry to a thread, in a rendered page. */
function callsIn(html: string): string[] {
  const found: string[] = []
  let quiet = 0
  for (const [piece, close, tag = ''] of html.matchAll(/<(\/?)([A-Za-z][\w-]*)[^>]*>|<!--.*?-->|[^<]+/gs)) {
    const [, href = ''] = /^<a [^>]*href="([^"]*)"/i.exec(piece) ?? []
    if (THREAD.test(href)) found.push(href)
    if (QUIET.test(tag)) quiet += close === '/' ? -1 : 1
    else if (!piece.startsWith('<') && quiet === 0) found.push(...(decoded(piece).match(CALLS) ?? []))
  }
  return found
}

function decoded(text: string): string {
  return text.replace(/&(lt|gt|quot|amp);/g, (_, name: 'lt' | 'gt' | 'quot' | 'amp') => ENTITIES[name])
}
const ENTITIES = { lt: '<', gt: '>', quot: '"', amp: '&' }

function textOf(html: string): string {
  return decoded(html.replace(/<[^>]*>/g, '')).replaceAll('\u2060', '')
}

const ISSUE = 'https://github.com/o/r/issues/12'
const CALLING = [
  ...[
    '@name',
    'a @name, b',
    '(@a-b)',
    '@org/team',
    '\\@name',
    '\\\\@name',
    '\\\\\\@name',
    '@\\-a',
    '_@name_',
    '**@name**',
  ],
  ...[
    'a*@b*c',
    '&#64;name',
    '&commat;name',
    '&#x40;na',
    '@&#110;ame',
    '#12',
    'o/r#12',
    '\\#12',
    '&#35;12',
    '&num;12',
  ],
  ...[
    '#&#49;2',
    '&amp;#12;',
    '\\&#12;',
    'GH-12',
    'gh-12',
    '*GH-12*',
    '!12',
    'g/p!12',
    '- @name\n  - #12\n    1. GH-1',
  ],
  ...[
    '> @name\n#12',
    '# @name',
    '@name\n===',
    '| @name | #1 |\n|---|---|\n| a\\|@b | `@c` @d |',
    'x[^1]\n\n[^1]: @name #1',
  ],
  ...[
    '[@name',
    '[@name]',
    '[@name](x)',
    '[a](x "@name") @b',
    '[a][@name]',
    'a@b.c@name',
    '$a$@b',
    '$@a_1$',
    '`a`@name',
  ],
  ...[
    ISSUE,
    `<${ISSUE}>`,
    `a ${ISSUE}.`,
    `**${ISSUE}**`,
    `a**${ISSUE}**b`,
    `\`x\`${ISSUE}`,
    `\\${ISSUE}`,
    `[x](${ISSUE})`,
  ],
  ...[
    `[x]\n\n[x]: ${ISSUE} "t"`,
    `[a ${ISSUE} b`,
    `${ISSUE}\\#1&amp;_a_`,
    `(${ISSUE}#issuecomment-1)`,
    `\`\`\` ${ISSUE}`,
  ],
  ...[
    '[x](<https://github.com/o/r/pull/1>)',
    '[x](https&#58;//github.com/o/r/pull/1?a=1&b=2)',
    '![@a](b.png)',
    '```\n@a\n```\n@b',
  ],
  ...[
    '- a\n\n      @code\n\n  @text',
    'a  \n@name',
    'a\\\n@name',
    'a\n@name\n#12',
    '~~#12~~',
    '@name:',
    '`@a` @b `c',
  ],
]
const LEFT_ALONE = [
  ...[
    'a@b.example',
    '<a@b.example>',
    'mailto:a@b.example',
    '`@name #12`',
    '```\n@name\n```',
    '    @name #12',
    '# Title',
    '#name',
  ],
  ...[
    'https://example.org/@name/x#12',
    '[x](https://example.org/@name#12)',
    '[@name]\n\n[@name]: x',
    '[@a][]\n\n[@a]: x',
  ],
  ...[
    'https://github.com/o/r/blob/main/a.ts#L12',
    'deadbeef1',
    '&#123;',
    '![@a][]\n\n[@a]: x',
    'x[^@a]\n\n[^@a]: b',
  ],
]

const inert = (text: string) => withoutCalls(text, eventsOf(text))

test.each(CALLING)('%j calls nobody, and is drawn as the same text', (text) => {
  const quiet = inert(text)
  expect([quiet, inert(quiet)]).toEqual([quiet, quiet])
  for (const [name, render] of Object.entries(RENDERERS))
    expect([name, quiet, textOf(render(quiet))]).toEqual([name, quiet, textOf(render(text))])
  for (const name of ['micromark', 'markdown-it'])
    expect([name, quiet, callsIn(RENDERERS[name]?.(quiet) ?? '')]).toEqual([name, quiet, []])
  expect(callsIn(RENDERERS.micromark?.(soundMarkdown(text)) ?? '')).toEqual([])
})

test.each(LEFT_ALONE)('%j stays as it is', (text) => {
  expect(inert(text)).toBe(text)
})

test('whatever is put together of such parts, nobody is called, and the same text is drawn', () => {
  const part = fc.constantFrom(
    ...CALLING,
    ...LEFT_ALONE,
    ...[
      '\n',
      '\n\n',
      ' ',
      '`',
      '``',
      '```\n',
      '~~~',
      '\\',
      '[',
      ']',
      '](',
      ']: ',
      '(',
      ')',
      '<',
      '>',
      '- ',
      '> ',
      '1. ',
    ],
    ...[
      '    ',
      '  ',
      '\t',
      '*',
      '**',
      '_',
      '~',
      '|',
      '#',
      '@',
      '!',
      '"',
      'a',
      '1',
      '-',
      '$',
      '&',
      ';',
      '&#',
      'GH',
      'www.',
      'é',
    ],
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const text = parts.join('')
      const quiet = inert(text)
      expect(inert(quiet)).toBe(quiet)
      // markdown-it renders code as text if a bracket and three backticks are unclosed
      for (const name of ['micromark', 'commonmark']) {
        // commonmark.js renders the definition of a link that is followed by a tab
        const drawn = (markdown: string) =>
          textOf(RENDERERS[name]?.(markdown) ?? '').replaceAll('//redirect.', '//')
        expect([name, quiet, drawn(quiet)]).toEqual([name, quiet, drawn(text)])
      }
      expect([quiet, callsIn(RENDERERS.micromark?.(quiet) ?? '')]).toEqual([quiet, []])
      const sound = soundMarkdown(text)
      expect([sound, callsIn(RENDERERS.micromark?.(sound) ?? '')]).toEqual([sound, []])
    }),
    { numRuns: Number(process.env.RUNS ?? 400) },
  )
})

test('a word of a file in a line calls nobody, whatever it is', () => {
  const part = fc.constantFrom(...CALLING, ...LEFT_ALONE, ' ', '\\', '`', '$', '&', '@', '#', '1', 'a')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      const text = `a ${parts.join('')} b`.replace(/\s+/g, ' ')
      const html = RENDERERS.micromark?.(plainInMarkdown(text)) ?? ''
      expect([callsIn(html), textOf(html).trim()]).toEqual([[], text])
    }),
    { numRuns: Number(process.env.RUNS ?? 400) },
  )
})

test('addresses of a line stay links, and those of threads are code', () => {
  expect(plainInMarkdown(`See https://www.npmjs.com/package/@types/a_b#1, not ${ISSUE}`)).toBe(
    `See https://www.npmjs.com/package/@types/a_b#1, not \`${ISSUE}\``,
  )
})

test('what is hostile costs no more than its length', () => {
  for (const unit of [
    '@',
    '@a',
    '#1',
    'a@b.c',
    'www.',
    'https://',
    `${ISSUE} `,
    '`',
    '[',
    '/issues/1',
    '&#64;a',
  ])
    soundMarkdown(unit.repeat(Math.floor(60_000 / unit.length)))
})

describe('a session full of calls', () => {
  const timestamp = '2026-11-20T10:00:00.000Z'
  const calling = `@octocat @org/team #12 o/r#12 GH-12 !12 ${ISSUE}`
  const said = `${CALLING.filter((text) => !text.startsWith('```')).join('\n\n')}\n\n\`@in-code #12\`\n\n\`\`\`\n@in-fence #12\n\`\`\``
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
    const chats = join(folder, '.gemini', 'tmp', '@shop', 'chats')
    mkdirSync(chats, { recursive: true })
    const records = [
      { sessionId: 'calling-1', projectHash: 'f'.repeat(64), startTime: timestamp, lastUpdated: timestamp },
      { id: 'u', timestamp, type: 'user', content: [{ text: calling }] },
      {
        ...{ id: 'g', timestamp, type: 'gemini', model: '@model#1', content: said },
        thoughts: [{ subject: calling, description: said, timestamp }],
        toolCalls: [
          {
            ...{ id: 'c', name: '@tool#1', args: { a: calling }, status: 'error', timestamp },
            ...{ displayName: '@tool#1', description: calling, resultDisplay: calling },
          },
        ],
      },
      // a list that the next part would continue, and a fence that is never closed
      {
        id: 'v',
        timestamp,
        type: 'user',
        content: [{ text: '- a' }, { text: '    @octocat' }, { text: '```\n@a' }],
      },
      { id: 'w', timestamp, type: 'user', content: [{ text: '```\n@octocat' }] },
      { id: 'i', timestamp, type: 'info', content: calling },
    ]
    writeFileSync(
      join(chats, 'session-2026-11-20T10-00-calling1.jsonl'),
      records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    )
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('calls nobody as a file', async () => {
    const where = ['--home', folder, '--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
    const { code, stdout: markdown } = await runProgram(
      ['export', 'calling-1', '--format', 'markdown', '--depth', 'all', '--redact', 'off', ...where],
      { HOME: folder },
    )
    expect(code).toBe(0)
    for (const name of ['micromark', 'markdown-it'])
      expect([name, callsIn(RENDERERS[name]?.(markdown) ?? '')]).toEqual([name, []])
    expect(markdown).toContain(
      `# @\u2060octocat @\u2060org/team \\#\u206012 o/r\\#\u206012 GH-\u206012 \\!\u206012`,
    )
    for (const code of ['`@in-code #12`', '```\n@in-fence #12\n```', '"a": "@octocat @org/team #12'])
      expect(markdown).toContain(code)
  })

  test('calls nobody as a copy; the plain text is as it was', async () => {
    const server = await openTestServer({ home: join(folder, '.gemini') })
    try {
      const copied = async (as: 'markdown' | 'text') => {
        const { sessions } = await server.store.sessions({ kind: 'all', limit: 10, sort: 'recent' } as never)
        const path = sessionPath('transcript', sessions[0]?.key ?? '', { as, redact: 'off' })
        const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
          headers: { cookie: server.cookie },
        })
        return transcriptSchema.parse(await answer.json()).text
      }
      const markdown = await copied('markdown')
      for (const name of ['micromark', 'markdown-it'])
        expect([name, callsIn(RENDERERS[name]?.(markdown) ?? '')]).toEqual([name, []])
      expect(markdown).toContain('`@in-code #12`')
      const text = await copied('text')
      expect(text).toContain(calling)
      expect(text).not.toContain('\u2060')
    } finally {
      await server.close()
    }
  })
})
