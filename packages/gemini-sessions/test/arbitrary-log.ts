import fc from 'fast-check'

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')

const content = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>('', 'hello', 'line\u2028break', 'Grüße 你好 👋') },
  { weight: 2, arbitrary: fc.string().map((text): unknown => [{ text }]) },
  fc.constantFrom<unknown>(
    null,
    5,
    { text: 'one part' },
    { text: 7 },
    { functionCall: null },
    [{ functionResponse: null }],
    [{ inlineData: { mimeType: 3 } }],
    [{ functionCall: { id: 'call', name: 'glob', args: {} } }],
    [{ functionResponse: { id: 'call', name: 'glob', response: { output: 'x' } } }],
    [{ text: '<state_snapshot>…</state_snapshot>' }],
    [[['deep']]],
  ),
)

const message = fc.record({
  id,
  timestamp: fc.constant('2026-11-21T20:30:00.000Z'),
  type: fc.constantFrom('user', 'gemini', 'info'),
  content,
})

const metadata = {
  sessionId: 's1',
  projectHash: 'p1',
  startTime: '2026-11-21T20:30:00.000Z',
  lastUpdated: '2026-11-21T20:30:00.000Z',
}

const record = fc.oneof(
  { weight: 8, arbitrary: message },
  { weight: 2, arbitrary: fc.constant({ $set: { lastUpdated: '2026-11-21T20:31:00.000Z' } }) },
  { weight: 2, arbitrary: fc.array(message, { maxLength: 5 }).map((messages) => ({ $set: { messages } })) },
  { weight: 2, arbitrary: fc.constantFrom('a', 'b', 'unknown').map(($rewindTo) => ({ $rewindTo })) },
  fc.array(message, { maxLength: 3 }).map((messages) => ({ ...metadata, messages })),
  fc.constantFrom<unknown>(metadata, { $unknown: 1 }, 'text', [1], null, { type: 'user', content: 'no id' }),
)

const line = fc.oneof(
  { weight: 12, arbitrary: record.map((row) => JSON.stringify(row)) },
  fc.constantFrom(
    '',
    '   ',
    '{"id":"a","type":"us',
    '\0\0\0',
    `\0\0${JSON.stringify({ id: 'f', type: 'user' })}`,
  ),
)

/** Logs of every record kind, with damage in between and a tail that may be torn. */
export const arbitraryLog = fc
  .tuple(fc.array(line, { maxLength: 25 }), fc.constantFrom('\n', '', '\n{"id":"a","ty', '\r\n'))
  .map(([lines, tail]) => [JSON.stringify(metadata), ...lines].join('\n') + tail)
