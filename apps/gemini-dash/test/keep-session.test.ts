import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { keepStatusSchema } from '@gemini-dash/api'
import { expect, test } from 'vitest'
import { inLines, useQuietHome } from './quiet-home.ts'

const place = useQuietHome()
const { write, run, json } = place

const log = (id: string) => `tmp/shop/chats/session-2026-11-20T10-00-${id}.jsonl`
function session(id: string, text: string) {
  const head = {
    sessionId: id,
    projectHash: 'f'.repeat(64),
    startTime: '2026-11-20T10:00:00.000Z',
    kind: 'main',
  }
  const rows = [{ id: `${id}-1`, timestamp: '2026-11-20T10:00:00.000Z', type: 'user', content: [{ text }] }]
  return inLines(head, ...rows)
}

test('one session is archived alone, quietly, once the archive is on; a file of no archived home is refused', async () => {
  write('tmp/shop/.project_root', join(place.root, 'shop'))
  write(log('aaaaaaaa'), session('aaaaaaaa', 'one'))
  const now = (path: string) => run('keep', 'now', '--session', path, '--quiet')
  const off = await now(join(place.home, log('aaaaaaaa')))
  expect([off.code, off.stdout, off.stderr]).toEqual([0, '', ''])
  expect(existsSync(join(place.root, 'data', 'archive'))).toBe(false)

  expect((await run('keep', 'on')).code).toBe(0)
  const kept = async () => keepStatusSchema.parse(await json('keep', 'status')).sessions
  write(log('bbbbbbbb'), session('bbbbbbbb', 'two'))
  write(log('cccccccc'), session('cccccccc', 'three'))
  expect(await kept()).toBe(1)
  const on = await now(join(place.home, log('bbbbbbbb')))
  expect([on.code, on.stdout, on.stderr]).toEqual([0, '', ''])
  expect(await kept()).toBe(2)

  write('../other/tmp/shop/chats/session-2026-11-20T10-00-dddddddd.jsonl', session('dddddddd', 'four'))
  for (const path of ['other/tmp/shop/chats/session-2026-11-20T10-00-dddddddd.jsonl', 'none.jsonl']) {
    const refused = await now(join(place.root, path))
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is not a session file of')])
  }
  const stray = await run('keep', 'on', '--session', 'x')
  expect([stray.code, stray.stderr]).toEqual([2, expect.stringContaining('belongs to "keep now"')])
  expect(await kept()).toBe(2)
})
