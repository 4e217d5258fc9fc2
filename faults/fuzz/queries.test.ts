import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestServer, type TestServer } from '../../apps/gemini-dash/test/open-test-server.ts'
import { questionPath, searchResultSchema } from '../../packages/api/src/index.ts'
import { FUZZ_TIMEOUT, fuzz } from './keep-find.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const PIECES = [
  ...[
    '"',
    '(',
    ')',
    '-',
    '*',
    '?',
    ':',
    ' OR ',
    ' AND ',
    'NOT ',
    'NEAR(',
    '/',
    '\\',
    '{',
    '}',
    '[',
    ']',
    '^',
    '$',
    '|',
    '+',
  ],
  ...[
    'model:',
    'tool:',
    'project:',
    'in:',
    'is:',
    'has:',
    'status:',
    'before:',
    'after:',
    'tokens:',
    'cost:',
    'path:',
    'session:',
  ],
  ...['2.5-pro', 'Shell', '>10k', '<=0.01', '2026-11-21', '7d', '-', 'error', 'diff', 'tool-output,answer'],
  ...[
    'rounding',
    'the',
    'größe',
    '日本',
    'ß',
    'İ',
    '\u0000',
    '\ud83d\ude00',
    '\ud800',
    '\u202e',
    '\ufeff',
    'a'.repeat(300),
  ],
]
const text = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...PIECES) },
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))
const asked = fc
  .record({
    q: text,
    mode: fc.constantFrom('words', 'substring', 'regex'),
    sort: fc.constantFrom('recent', 'relevance'),
    limit: fc.constantFrom('0', '1', '50', '-3', 'x', '1e9'),
    cursor: fc.option(text, { nil: undefined }),
    project: fc.option(text, { nil: undefined }),
    tool: fc.option(text, { nil: undefined }),
    from: fc.option(text, { nil: undefined }),
    tz: fc.constantFrom('UTC', 'Europe/Vienna', 'Mars', ''),
  })
  .map((query) => Buffer.from(JSON.stringify(query)))

/** Expects a valid answer or a refusal with a reason, never a server error. */
async function holds(input: Buffer): Promise<void> {
  const query = JSON.parse(input.toString())
  const answer = await fetch(`http://127.0.0.1:${server.port}${questionPath('search', query)}`, {
    headers: { cookie: server.cookie },
  })
  const body = await answer.json()
  if (answer.status === 200) {
    const { hits, total, messageTotal, sessionTotal } = searchResultSchema.parse(body)
    expect(total).toBeGreaterThanOrEqual(Math.max(hits.length, messageTotal))
    expect(messageTotal).toBeGreaterThanOrEqual(0)
    expect(sessionTotal).toBeLessThanOrEqual(total)
    for (const { snippet, ranges } of hits)
      for (const [start, end] of ranges) expect(start >= 0 && start < end && end <= snippet.length).toBe(true)
  } else {
    expect([400, 414]).toContain(answer.status)
    expect((body as { error: { message: string } }).error.message).not.toBe('')
  }
  const suggested = await fetch(
    `http://127.0.0.1:${server.port}${questionPath('search/suggest', { q: query.q, ...query.q.length })}`,
    {
      headers: { cookie: server.cookie },
    },
  )
  expect([200, 400, 414]).toContain(suggested.status)
  await suggested.arrayBuffer()
  expect(server.problems).toEqual([])
}

test('R47, R55: any query is answered in its shape or refused with a reason', FUZZ_TIMEOUT, async () => {
  await fuzz('queries', asked, holds)
})
