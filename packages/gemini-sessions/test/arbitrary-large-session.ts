import fc from 'fast-check'
import { at, SESSION_ID } from './make-file.ts'

interface WrittenFile {
  name: string
  text: string
}

type Row = Record<string, unknown>

/** Texts around and above the size that is put aside; few different ones, so that equal and nearly equal ones occur together. */
const largeText = fc
  .tuple(
    fc.constantFrom(
      'export const price = (sum) => sum\n',
      'Grüße 👋 "quoted" \\ back\t',
      '日本語の出力\n',
      '\ud800 lone',
      '<tool_output_masked>\n',
      '   \n'.repeat(40),
      'Output: x\nExit Code: 2\nSignal: 0\n',
      'Output: x\nSignal: 9\n',
      '--- a\n+++ b\n@@ -1,2 +1,2 @@\n-old\n+new\n',
      'Successfully created and wrote to new file: a.ts. ',
      'Tool execution succeeded.',
      'For full output see: /x/tool-outputs/a.txt\n',
      'aGVsbG8gd29ybGQh',
    ),
    fc.constantFrom(1, 40, 120, 400),
    fc.constantFrom(
      '',
      'X',
      '=',
      '\nExit Code: 1\nSignal: (none)',
      '\nSignal: SIGTERM\nProcess Group PGID: 7',
      '\nExit Code: 0\n</tool>',
      '\ud83d',
    ),
  )
  .map(([text, times, end]) => text.repeat(times) + end)

const callId = fc.constantFrom('call-1', 'call-2', 'call-3', '')
const toolName = fc.constantFrom('run_shell_command', 'write_file', 'replace', 'read_file', 'invoke_agent')

const response = fc.oneof(
  { weight: 5, arbitrary: largeText.map((output): unknown => ({ output })) },
  largeText.map((error): unknown => ({ error })),
  fc.tuple(largeText, largeText).map(([output, error]): unknown => ({ output, error })),
  largeText.map((text): unknown => ({ output: text, more: { deep: [text] } })),
  largeText.map((text): unknown => ({ content: text, other: 5 })),
  largeText.map((text): unknown => text),
)
const inlineData = fc
  .tuple(largeText, fc.constantFrom('image/png', 'audio/wav', 'application/pdf'))
  .map(([data, mimeType]): unknown => ({ inlineData: { data, mimeType } }))
const functionResponse = fc
  .tuple(callId, toolName, response, fc.option(fc.array(inlineData, { maxLength: 2 }), { nil: undefined }))
  .map(([id, name, value, parts]): unknown => ({
    functionResponse: { ...(id === '' ? {} : { id }), name, response: value, parts },
  }))

const terminal = fc
  .array(fc.array(fc.tuple(largeText, fc.boolean()), { maxLength: 2 }), { maxLength: 3 })
  .map((lines): unknown => lines.map((line) => line.map(([text, bold]) => ({ text, bold, fg: '#00ff00' }))))
const display = fc.oneof(
  largeText.map((text): unknown => text),
  terminal,
  fc
    .tuple(largeText, fc.option(largeText), fc.option(largeText))
    .map(([fileDiff, originalContent, newContent]): unknown => ({
      fileDiff,
      fileName: 'a.ts',
      originalContent,
      newContent,
    })),
  largeText.map((text): unknown => ({ unheardOf: text, fileDiff: text })),
  fc.constant<unknown>(undefined),
)
const call = fc
  .record({
    id: callId,
    name: toolName,
    args: fc.constantFrom<unknown>(
      { file_path: '/a/b.ts', content: 'x\n'.repeat(900) },
      { file_path: '/a/b.ts', old_string: 'x', new_string: 'y' },
      { command: 'ls' },
    ),
    result: fc.oneof(
      fc.array(fc.oneof(functionResponse, inlineData), { maxLength: 2 }).map((parts): unknown => parts),
      functionResponse,
      largeText.map((text): unknown => text),
      fc.constant<unknown>(undefined),
    ),
    status: fc.constantFrom<unknown>('success', 'error', 'cancelled', undefined),
    resultDisplay: display,
    description: fc.constantFrom(
      'b.ts',
      'A sentence long enough to be taken for the manual of a tool, or not.',
    ),
  })
  .map((fields): Row => ({ ...fields, timestamp: at(3) }))

const words = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom('look', 'Please continue.', '<state_snapshot>') },
  fc.constant('[Function Response: read_file]hello'),
)
const content = fc.oneof(
  { weight: 3, arbitrary: words.map((text): unknown => text) },
  {
    weight: 6,
    arbitrary: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: functionResponse },
        inlineData,
        words.map((text): unknown => ({ text })),
        fc.tuple(callId, toolName).map(([id, name]): unknown => ({ functionCall: { id, name, args: {} } })),
      ),
      { maxLength: 3 },
    ),
  },
  functionResponse,
)
const row = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    type: fc.constantFrom('user', 'user', 'gemini', 'gemini', 'info'),
    content,
    toolCalls: fc.option(fc.array(call, { maxLength: 2 }), { nil: undefined }),
    minute: fc.integer({ min: 0, max: 9 }),
  })
  .map(({ minute, ...fields }): Row => ({ ...fields, timestamp: at(minute) }))

const record = fc.oneof(
  { weight: 8, arbitrary: row },
  fc.array(row, { maxLength: 4 }).map((messages): Row => ({ $set: { messages } })),
  fc.array(row, { maxLength: 3 }).map((messages): Row => ({ ...METADATA, messages })),
  fc.constantFrom('a', 'c').map((id): Row => ({ $rewindTo: id })),
  row.map((update): Row => ({ $patch: { ...update, removeIds: ['d'] } })),
)

const METADATA = {
  sessionId: SESSION_ID,
  projectHash: 'a'.repeat(64),
  startTime: at(0),
  lastUpdated: at(9),
}

const STEM = 'session-2026-11-21T20-00-11111111'

const log = fc
  .tuple(fc.array(record, { minLength: 1, maxLength: 8 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([records, newline, isComplete]) => {
    const lines = [METADATA, ...records].map((line) => JSON.stringify(line))
    return { name: `${STEM}.jsonl`, text: lines.join(newline) + (isComplete ? newline : '') }
  })
const document = fc
  .tuple(fc.array(row, { minLength: 1, maxLength: 8 }), fc.constantFrom(0, 2), fc.nat(9), fc.boolean())
  .map(([messages, indent, cut, isCut]) => {
    const text = JSON.stringify({ ...METADATA, messages }, null, indent)
    return { name: `${STEM}.json`, text: isCut ? text.slice(0, -cut - 1) : text }
  })

/** The files of one group whose rows have tool outputs, displays and images of any size, in all places that versions use. */
export const arbitraryLargeSession: fc.Arbitrary<WrittenFile[]> = fc.oneof(
  log.map((file) => [file]),
  document.map((file) => [file]),
  fc.tuple(document, log).map((files): WrittenFile[] => files),
)
