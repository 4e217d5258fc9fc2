import { expect, test } from 'vitest'
import { recordFixture } from '../../../test/record-fixture.ts'
import { sessionsUsing } from './resolve-search.ts'

const session = (
  key: string,
  tools: string[],
  { parentKey = null as string | null, attachments = 0 } = {},
) => {
  const record = recordFixture(
    { key, parentKey },
    { attachments, tools: tools.map((name) => ({ ...NO_CALLS, name, calls: 1 })) },
  )
  return { record, summary: record.summary }
}
const NO_CALLS = { errors: 0, outputTokensEstimate: 0, maxTimeMs: 0, timedCalls: 0 }

const SESSIONS = [
  session('reads', ['read_file', 'read_many_files'], { attachments: 2 }),
  session('asks', ['write_file']),
  session('sub-agent', ['run_shell_command'], { parentKey: 'asks' }),
  session('silent', []),
]
const keysOf = (query: Parameters<typeof sessionsUsing>[1]) => {
  const keys = sessionsUsing(SESSIONS, query)
  return keys && [...keys]
}

test('a session called a tool, by either of its names, also where a sub-agent did', () => {
  expect(keysOf({ tool: 'read_file' })).toEqual(['reads'])
  expect(keysOf({ tool: 'Shell' })).toEqual(['asks', 'sub-agent'])
  expect(keysOf({ tool: 'file' })).toEqual(['reads', 'asks'])
  expect(keysOf({ tool: 'nothing' })).toEqual([])
})

test('attachments are asked for alone and beside a tool; nothing asked for is no filter', () => {
  expect(keysOf({ attachments: 'true' })).toEqual(['reads'])
  expect(keysOf({ attachments: 'false' })).toEqual(['asks', 'sub-agent', 'silent'])
  expect(keysOf({ attachments: 'false', tool: 'Shell' })).toEqual(['asks', 'sub-agent'])
  expect(keysOf({ attachments: 'true', tool: 'Shell' })).toEqual([])
  expect(keysOf({})).toBeNull()
})
