import { expect, test } from 'vitest'
import { messageFixture, toolCallFixture } from '../../test/message-fixture.ts'
import { fitsFilter } from './message-page.ts'

const text = (words: string) => [{ kind: 'text' as const, text: words }]
const thought = { subject: 'Looking', description: 'around', timestamp: null }

const prompt = messageFixture({ type: 'user', origin: 'human', content: text('Mend it') })
const result = messageFixture({ type: 'user', origin: 'tool-result', content: text('output') })
const answer = messageFixture({ content: text('Done') })
const silent = messageFixture({ thoughts: [thought], toolCalls: [toolCallFixture()] })
const notice = messageFixture({ key: 'notice', type: 'error', origin: 'cli', content: text('Quota') })
const failed = messageFixture({
  key: 'failed',
  toolCalls: [toolCallFixture(), toolCallFixture({ failed: true })],
})
const shell = messageFixture({ toolCalls: [toolCallFixture({ name: 'run_shell_command' })] })
const edit = messageFixture({ toolCalls: [toolCallFixture({ name: 'replace' })] })
const keysOfFailed = new Set(['notice', 'failed'])

test.each([
  ['dialogue', [prompt, answer], [result, silent, notice, failed]],
  ['errors', [notice, failed], [prompt, answer, shell]],
  ['edits', [edit], [shell, prompt]],
  ['shell', [shell], [edit, failed]],
  ['thoughts', [silent], [answer, prompt]],
] as const)('%s leaves what belongs to it and nothing else', (filter, fitting, others) => {
  expect(fitting.map((message) => fitsFilter(message, filter, keysOfFailed))).toEqual(fitting.map(() => true))
  expect(others.map((message) => fitsFilter(message, filter, keysOfFailed))).toEqual(others.map(() => false))
})

test('a picture alone is an answer', () => {
  const image = {
    kind: 'image' as const,
    mimeType: 'image/png',
    data: null,
    uri: null,
    sizeBytes: 9,
    href: null,
  }
  expect(fitsFilter(messageFixture({ content: [image] }), 'dialogue', keysOfFailed)).toBe(true)
})

test('what a tool of somebody else changed in a file is an edit too', () => {
  const display = {
    kind: 'diff' as const,
    fileName: 'a.ts',
    filePath: null,
    fileDiff: '',
    originalContent: null,
    newContent: 'x',
    linesAdded: 1,
    linesRemoved: 0,
    isNewFile: true,
    isRebuilt: false,
  }
  const foreign = messageFixture({ toolCalls: [toolCallFixture({ name: 'mcp_editor_patch', display })] })
  expect(fitsFilter(foreign, 'edits', keysOfFailed)).toBe(true)
})
