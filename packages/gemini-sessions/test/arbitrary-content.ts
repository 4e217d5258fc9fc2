import fc from 'fast-check'

/** The `content` of a message: what versions write, what the type allows, and what makes the CLI's loader throw. */
export const arbitraryContent: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>('', 'hello', '/help', '?', 'line\u2028break', 'Grüße 你好 👋\0'),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary' }).map((text): unknown => [{ text }]) },
  fc.constantFrom<unknown>(
    null,
    5,
    { text: 'one part' },
    { text: 7 },
    [{ text: 7 }],
    [{ text: 'a thought', thought: true }],
    { functionCall: null },
    { functionCall: { name: 'glob' } },
    [{ functionResponse: null }],
    [{ inlineData: { mimeType: 3 } }],
    [{ inlineData: { mimeType: 'image/png', data: 'aGk=' } }],
    [{ fileData: null }],
    [{ functionCall: { id: 'call', name: 'glob', args: {} } }],
    [{ functionResponse: { id: 'call', name: 'glob', response: { output: 'x' } } }],
    [{ text: '<session_context>\nhere\n</session_context>' }, { text: 'prompt' }],
    [{ text: '<state_snapshot>…</state_snapshot>' }],
    [[['deep']]],
    ['text', { text: 'part' }, null],
  ),
)
