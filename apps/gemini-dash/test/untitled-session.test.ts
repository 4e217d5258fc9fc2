import { expect, test } from 'vitest'
import { inLines, useQuietHome } from './quiet-home.ts'

const FILE = 'session-2026-11-20T09-30-0000aaaa.jsonl'
const { write, run, json } = useQuietHome()

test('a session without a prompt has its file name wherever others have their title', async () => {
  write('tmp/shop/.project_root', '/home/mia/shop')
  write(
    `tmp/shop/chats/${FILE}`,
    inLines({
      id: 'bad5f337-80c4-4f25-8887-8a9d07405083',
      timestamp: '2026-11-20T09:30:00.000Z',
      type: 'gemini',
      content: 'only the answer is left: dotterel',
      tokens: { input: 1000, output: 50, cached: 0, thoughts: 0, tool: 0, total: 1050 },
      model: 'gemini-2.5-pro',
    }),
  )
  const { sessions } = await json('list')
  const key: string = sessions[0].key
  expect((await run('list')).stdout).toContain(FILE)
  expect((await run('list', '--plain')).stdout).toContain(FILE)
  expect((await run('show', key)).stdout.split('\n')[0]).toBe(FILE)
  expect((await run('search', 'dotterel')).stdout.split('\n')[0]).toContain(FILE)
  expect((await run('usage', '--by', 'session')).stdout).toContain(FILE)
  expect((await run('doctor', '--all')).stdout).toContain(
    `"${FILE}" is deleted on the next start. The line that`,
  )
  const { command, notes } = await json('resume', key)
  expect([command, notes[0]]).toEqual([null, expect.stringContaining('does not offer it')])
}, 120_000)
