import { describe, expect, it } from 'vitest'
import type { Message } from '../model/message.ts'
import { parseSessionFile } from '../parse/session-file.ts'
import { linkSavedOutputs, type OutputFile } from './link-saved-outputs.ts'

const SESSION = 'fd80e0ff-1c3f-4b7e-8f1a-0d6a2f7d9a01'
const TMP = '/home/mia/.gemini/tmp/webshop'

interface StoredCall {
  id: string
  name: string
  output: string
}

function messagesWith(...calls: StoredCall[]): Message[] {
  const document = {
    sessionId: SESSION,
    projectHash: '0'.repeat(64),
    messages: [
      {
        id: 'g1',
        timestamp: '2026-03-01T10:00:00.000Z',
        type: 'gemini',
        content: '',
        toolCalls: calls.map(({ id, name, output }) => ({
          id,
          name,
          args: {},
          status: 'success',
          result: [{ functionResponse: { id, name, response: { output } } }],
        })),
      },
    ],
  }
  const bytes = new TextEncoder().encode(JSON.stringify(document))
  return parseSessionFile({ path: 'tmp/webshop/chats/session-a.json', bytes }).messages
}

function fileAt(place: string, isOwn = false): OutputFile {
  const path = `tmp/webshop/${place}`
  const file = {
    id: place,
    home: '/home/mia/.gemini',
    path,
    sizeBytes: 9,
    modifiedTime: '2026-03-01T10:00:00.000Z',
  }
  return { place, isOwn, file }
}

const CALL = { id: 'run_shell_command_1773524726450_0', name: 'run_shell_command' }
const IN_SESSION = `tool-outputs/session-${SESSION}`

describe('the whole output of a call', () => {
  it.each([
    [
      '0.8 to 0.25: an .output file in the project folder',
      `Tool output was too large and has been truncated.\nThe full output has been saved to: /home/mia/.gemini/tmp/${'a'.repeat(64)}/run_shell_command-1-f.output\nTo read the complete output, use the read_file tool.`,
      'run_shell_command-1-f.output',
    ],
    [
      '0.27: a folder of another name, numbered by a counter',
      `Output too large. Showing the last 30 of 812 lines. For full output see: /home/mia/.gemini/tmp/${'a'.repeat(64)}/tool_output/run_shell_command_35.txt\n...\nlast line`,
      'tool_output/run_shell_command_35.txt',
    ],
    [
      '0.28: right in tool-outputs',
      `Output too large. For full output see: ${TMP}/tool-outputs/run_shell_command_35.txt\n...\nlast line`,
      'tool-outputs/run_shell_command_35.txt',
    ],
    [
      'cut (0.29+)',
      `Output too large. Showing first 8,000 and last 32,000 characters. For full output see: ${TMP}/${IN_SESSION}/run_shell_command_1773524726450_0.txt\nOutput: ok`,
      `${IN_SESSION}/run_shell_command_1773524726450_0.txt`,
    ],
    [
      'masked (0.29+), the call named by nothing in the file name',
      `<tool_output_masked>\nOutput: ok\n\nOutput too large. Full output available at: ${TMP}/${IN_SESSION}/x_y_z.txt\n</tool_output_masked>`,
      `${IN_SESSION}/x_y_z.txt`,
    ],
    [
      'masked, the second wording',
      `<tool_output_masked>\n[Tool output (0.10MB, 90 lines) masked to preserve context window. Full output saved to: ${TMP}/${IN_SESSION}/x_y_z.txt]\n</tool_output_masked>`,
      `${IN_SESSION}/x_y_z.txt`,
    ],
    [
      'masked on Windows',
      `<tool_output_masked>\nOutput too large. Full output available at: C:\\Users\\Mia K\\.gemini\\tmp\\webshop\\tool-outputs\\session-${SESSION}\\x_y_z.txt\n</tool_output_masked>`,
      `${IN_SESSION}/x_y_z.txt`,
    ],
  ])('is found by the path in the result: %s', (_, output, place) => {
    const links = linkSavedOutputs(messagesWith({ ...CALL, output }), [fileAt(place)])
    expect(links).toEqual([
      {
        name: place.slice(place.lastIndexOf('/') + 1),
        callId: CALL.id,
        messageKey: 'g1',
        toolName: CALL.name,
        file: fileAt(place).file,
      },
    ])
  })

  it.each([
    ['read_file-1795293057864-7b4b720b0de68', 'read_file', 'read_file-1795293057864-7b4b720b0de68.txt'],
    [
      'read_file__read_file_1780259847790_0',
      'read_file',
      'read_file_read_file__read_file_1780259847790_0_xyslci.txt',
    ],
    ['read_file_1795293362507_1', 'read_file', 'read_file_1795293362507_1_observation_3f9a.txt'],
    ['yzruiqyl', 'run_shell_command', 'run_shell_command_yzruiqyl.txt'],
    ['Q3/x:ABC', 'mcp_db_query', 'mcp_db_query_q3_x_abc.txt'],
    ['nhiq2f#0-0', 'read_file', 'read_file_nhiq2f_0-0.txt'],
    ['run_shell_command-17-f00', 'run_shell_command', 'run_shell_command-17-f00.output'],
  ])('is found by the name of the file where no text tells: %s', (id, name, fileName) => {
    const [link] = linkSavedOutputs(messagesWith({ id, name, output: 'all of it' }), [fileAt(fileName)])
    expect(link).toMatchObject({ callId: id, name: fileName })
  })

  it('goes to the call whose whole id the name spells, not to one whose id begins alike', () => {
    const calls = ['shell_1773_1', 'shell_1773_11'].map((id) => ({ id, name: 'shell', output: 'x' }))
    const links = linkSavedOutputs(messagesWith(...calls), [
      fileAt('shell_1773_11.txt'),
      fileAt('shell_1773_1.txt'),
    ])
    expect(links.map(({ callId }) => callId)).toEqual(['shell_1773_11', 'shell_1773_1'])
  })

  it('is said to be gone where the result names a file that is not there', () => {
    const output = `<tool_output_masked>\nOutput too large. Full output available at: ${TMP}/${IN_SESSION}/a.txt\n</tool_output_masked>`
    expect(linkSavedOutputs(messagesWith({ ...CALL, output }), [])).toMatchObject([
      { name: 'a.txt', callId: CALL.id, file: null },
    ])
  })

  it('is not looked for where a tool only talks of some file', () => {
    const outputs = [
      '/etc/passwd',
      '/tmp/demo/out.txt',
      `${TMP}/tool-outputs/../../../../etc/passwd`,
      '../tool-outputs/x',
    ]
    const calls = outputs.map((path, n) => ({
      ...CALL,
      id: `call-${n}`,
      output: `Full output saved to: ${path}`,
    }))
    expect(linkSavedOutputs(messagesWith(...calls), [fileAt('etc/passwd'), fileAt('passwd')])).toEqual([])
  })

  it('is listed without a call where the file lies in the session’s own folder, and nowhere else', () => {
    const links = linkSavedOutputs(messagesWith({ ...CALL, output: 'x' }), [
      fileAt(`${IN_SESSION}/write_file_35.txt`, true),
      fileAt('tool-outputs/write_file_35.txt'),
    ])
    expect(links).toMatchObject([{ name: 'write_file_35.txt', callId: null, messageKey: null }])
  })
})
