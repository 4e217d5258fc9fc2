import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NEVER_LOOKED_FOR } from '@gemini-dash/api/redaction-words'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runProgram } from '../../test/run-program.ts'

/** Split, so that secret scanners do not flag this file. */
const PASSWORD = ['Zq8n', 'Tv4Lk2'].join('')
const TOKEN = ['ghp_aB3dE5fG7hJ9kL1m', 'N3pQ5rS7tU9vW1xYabcd'].join('')
const LEFT = [PASSWORD, btoa(`bob:${PASSWORD}`), TOKEN.slice(0, 20), TOKEN.slice(20), 'sunflowers', 'grace']

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-export-'))
  const chats = join(folder, 'home/.gemini/tmp/shop/chats')
  mkdirSync(chats, { recursive: true })
  writeFileSync(join(folder, 'home/.gemini/tmp/shop/.project_root'), '/srv/shop')
  const lines = records().map((record) => `${JSON.stringify(record)}\n`)
  writeFileSync(join(chats, 'session-2026-11-22T10-00-5ec4e8.jsonl'), lines.join(''))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Each secret is recognizable in one place, and appears without context in an earlier one. */
function records(): object[] {
  const time = (second: number) => `2026-11-22T10:00:${String(second).padStart(2, '0')}.000Z`
  const said = (id: string, second: number, ...texts: string[]) => ({
    id,
    timestamp: time(second),
    type: 'user',
    content: texts.map((text) => ({ text })),
  })
  const call = (id: string, command: string, output: string, display: unknown) => ({
    id,
    name: 'run_shell_command',
    args: { command },
    status: 'success',
    timestamp: time(20),
    resultDisplay: display,
    result: [
      { functionResponse: { id, name: 'run_shell_command', response: { output: `Output: ${output}` } } },
    ],
  })
  const plain = { bold: false, italic: false, underline: false, dim: false, inverse: false, fg: '', bg: '' }
  const width = `${'echo of a token '.repeat(3)}${TOKEN.slice(0, 12)}`
  return [
    {
      sessionId: '5ec4e800-aaaa-4bbb-8ccc-000000000001',
      projectHash: 'f'.repeat(64),
      startTime: time(0),
      lastUpdated: time(30),
      kind: 'main',
    },
    said('p1', 1, `Why does ${PASSWORD} not work, and ${btoa(`bob:${PASSWORD}`)}?`),
    said('p2', 2, `one: ${TOKEN.slice(0, 20)}`, `${TOKEN.slice(20)} of two`),
    said('p3', 3, '/srv/grace/x and (1)\npassword: sunflowers\nend'),
    {
      id: 'g1',
      timestamp: time(10),
      type: 'gemini',
      model: 'gemini-2.5-pro',
      content: 'I look.',
      thoughts: [{ subject: 'Look', description: `Is it ${PASSWORD}?`, timestamp: time(9) }],
      tokens: { input: 1, output: 1, cached: 0, thoughts: 0, tool: 0, total: 2 },
      toolCalls: [
        call('c1', `docker login -u bob -p ${PASSWORD} x.io`, 'ls /home/grace/x', 'done'),
        call('c2', 'env', 'none', [
          [{ ...plain, text: width }],
          [
            { ...plain, text: TOKEN.slice(12) },
            { ...plain, text: ' end' },
          ],
        ]),
      ],
    },
  ]
}

function run(...args: string[]) {
  const where = [
    '--home',
    join(folder, 'home'),
    '--cache-dir',
    join(folder, 'cache'),
    '--data-dir',
    join(folder, 'data'),
  ]
  return runProgram([...args, ...where])
}

test.each(['markdown', 'json', 'jsonl', 'vac'])(
  'S1: what one place of a session tells is redacted in all of it: %s',
  async (format) => {
    const { code, stdout, stderr } = await run('export', '5ec4e8', '--format', format, '--redact', 'on')
    expect(code).toBe(0)
    for (const secret of LEFT) expect([secret, stdout.includes(secret)]).toEqual([secret, false])
    expect(stdout).toContain('redacted')
    expect(stderr).toContain(NEVER_LOOKED_FOR)
  },
)

test('S1: a hand-over is redacted with what the whole session tells', async () => {
  const { code, stdout } = await run('handover', '5ec4e8')
  expect(code).toBe(0)
  for (const secret of LEFT) expect([secret, stdout.includes(secret)]).toEqual([secret, false])
})

test('S1: as recorded, all of it leaves', async () => {
  const { stdout, stderr } = await run('export', '5ec4e8', '--redact', 'off')
  expect(stdout).toContain(PASSWORD)
  expect(stderr).not.toContain(NEVER_LOOKED_FOR)
})

test('S1: what is never looked for is said by the help, and in the documents', async () => {
  const { stdout } = await run('export', '--help')
  const oneLine = (text: string) => text.replace(/\s+/g, ' ')
  expect(oneLine(stdout)).toContain(NEVER_LOOKED_FOR)
  for (const file of ['docs/commands.md', 'SECURITY.md', 'docs/decisions/redaction.md'])
    expect(oneLine(readFileSync(file, 'utf8'))).toContain(NEVER_LOOKED_FOR)
})
