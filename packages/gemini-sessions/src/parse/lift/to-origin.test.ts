import { expect, it } from 'vitest'
import { toOrigin } from './prompt.ts'

const RESPONSE = { functionResponse: { id: 'c', name: 'glob', response: { output: 'x' } } }
/** The form up to 0.27, in saved chats; the output is in the text after it. */
const SUCCEEDED = {
  functionResponse: { name: 'read_many_files', response: { output: 'Tool execution succeeded.' } },
}

it.each([
  ['human', 'user', 'Fix it'],
  ['human', 'user', [{ text: 'Fix it' }]],
  ['human', 'user', '/no-such-command'],
  ['human', 'user', 'I ran the following shell command:\n```sh\nls\n```'],
  ['human', 'user', '<session_context>…</session_context>Fix it'],
  ['human', 'user', [{ text: '<session_context>…</session_context>' }, { text: 'Fix it' }]],
  ['human', 'user', [{ inlineData: { mimeType: 'image/png', data: '' } }]],
  ['injected', 'user', '<session_context>\n…\n</session_context>'],
  ['injected', 'user', '<session_context>\nThis is the Gemini CLI. It was cut'],
  ['human', 'user', '<session_context> is what, please?'],
  [
    'injected',
    'user',
    "Here is the user's editor context as a JSON object. This is for your information only.\n{}",
  ],
  ['injected', 'user', '<hook_context>…</hook_context>'],
  ['injected', 'user', '<state_snapshot>…</state_snapshot>'],
  ['injected', 'user', 'This is the Gemini CLI. We are setting up the context for our chat.'],
  ['injected', 'user', 'System: Please continue.'],
  ['injected', 'user', 'System: Potential loop detected. …'],
  ['injected', 'user', '[System: You previously …'],
  ['injected', 'user', '- **Workspace Directories:**\n  - /shop'],
  ['injected', 'user', 'Your task is to do a deep investigation of the codebase to find …'],
  ['injected', 'user', ''],
  ['tool-result', 'user', [RESPONSE]],
  ['tool-result', 'user', [RESPONSE, { inlineData: { mimeType: 'image/png', data: '' } }]],
  ['tool-result', 'user', RESPONSE],
  ['human', 'user', [RESPONSE, { text: 'Stop here' }]],
  ['injected', 'user', [RESPONSE, { text: 'System: Please continue.' }]],
  ['tool-result', 'user', [SUCCEEDED, { text: '--- /a.js ---' }]],
  ['tool-result', 'user', '[Function Response: read_file]<image/png>'],
  ['model', 'gemini', 'Done.'],
  ['model', 'gemini', ''],
  ['model', 'gemini', 'Got it. Thanks for the additional context!'],
  ['injected', 'gemini', [{ text: 'Got it. Thanks for the additional context!' }]],
  ['injected', 'gemini', [{ text: 'Binary content received. Proceeding with analysis.', thought: true }]],
  ['cli', 'info', 'Request cancelled.'],
  ['cli', 'warning', ''],
  ['cli', 'error', [{ text: 'x' }]],
  ['cli', undefined, 'x'],
  ['model', 'assistant', 'x'],
  ['human', 'human', 'x'],
])('%s: %s %j', (origin, type, content) => {
  expect(toOrigin(type, content)).toBe(origin)
})
