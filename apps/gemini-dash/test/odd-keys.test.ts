import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sessionListSchema } from '@gemini-dash/api'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from './open-test-server.ts'
import { inLines, sha256, useMovedProject } from './quiet-home.ts'
import { runProgram } from './run-program.ts'

const place = useMovedProject()
const { write, json } = place

/** Options first: after `--` they would not be options. */
const run = (...args: string[]) => {
  const own = ['--data-dir', join(place.root, 'data'), '--cache-dir', join(place.root, 'cache')]
  return runProgram(['--home', place.home, ...own, ...args])
}

const logOf = (id: string) => `tmp/shop/chats/session-2026-11-20T10-00-${sha256(id).slice(0, 8)}.jsonl`

function writeSession(id: string): void {
  const time = '2026-11-20T10:00:00.000Z'
  const head = { sessionId: id, projectHash: sha256(place.before), startTime: time, lastUpdated: time }
  const said = { timestamp: time, type: 'user', content: [{ text: `I am ${id}` }] }
  const answer = { timestamp: time, type: 'gemini', content: 'Yes.' }
  write(logOf(id), inLines(head, { id: `${id}-1`, ...said }, { id: `-${id}-2`, ...answer }))
}

/** Runs what is printed behind these words, as it is: it must name the folders that were given. */
const paste = (text: string, words: string) => runProgram(wordsBehind(text, words))

/** What follows these words in the output, as parsed by a shell, without the name of the program. */
function wordsBehind(text: string, words: string): string[] {
  const line = text.split('\n').find((each) => each.startsWith(words)) ?? ''
  return line
    .slice(words.length)
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/^'(.*)'$/, '$1'))
    .slice(1)
}

describe('O1: an id that begins with a dash', () => {
  const ids = ['-kva_abc', '--json']
  beforeEach(() => {
    for (const id of ids) writeSession(id)
  })

  test('is taken by every command', async () => {
    for (const id of ids) {
      const key = id === '-kva_abc' ? [id] : ['--', id]
      expect((await run('show', ...key)).stdout).toContain(`I am ${id}`)
      expect((await run('handover', ...key)).stdout).toContain(`I am ${id}`)
      expect((await run('export', ...key)).stdout).toContain(`I am ${id}`)
      expect((await run('resume', ...key)).stdout).toContain(`'--resume=${id}'`)
      expect((await run('move', '--to', place.now, ...key)).stdout).toContain('One session, to')
      expect((await run('forget', '--yes', ...key)).stdout).toContain('is never archived again')
    }
  })

  test('is moved and recovered by the next steps that are printed', async () => {
    expect((await run('keep', 'on')).code).toBe(0)
    for (const id of ids) {
      const key = id === '-kva_abc' ? [id] : ['--', id]
      const moved = await run('move', '--to', place.now, ...key)
      const written = await paste(moved.stdout, 'Nothing was written. To write it:')
      expect([written.code, written.stdout]).toEqual([0, expect.stringContaining('Written into')])
      expect((await paste(written.stdout, 'Undo:')).code).toBe(0)
    }
    rmSync(join(place.home, 'tmp/shop/chats'), { recursive: true })
    for (const id of ids) {
      const told = await run('recover', ...(id === '-kva_abc' ? [id] : ['--', id]))
      const written = await paste(told.stdout, 'Nothing was written. To write it:')
      expect([written.code, written.stderr]).toEqual([0, ''])
      const resumed = await paste(written.stdout, 'Resume it:')
      expect(resumed.stdout).toContain(`'--resume=${id}'`)
    }
  })

  test('is told from an option that is not there', async () => {
    for (const name of ['show', 'forget']) {
      const mistyped = await run(name, '--jsno')
      expect([mistyped.code, mistyped.stderr]).toEqual([2, expect.stringContaining('Unknown option --jsno')])
    }
    const unknown = await run('show', '-kvb')
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringContaining('There is no session "-kvb".\nIt is not an option of this command either.'),
    ])
  })
})

describe('M6: the beginning of a key or an id', () => {
  test('names the session that alone has it, by any length, and is refused with all that have it', async () => {
    for (const id of ['=one', '=two', '+three']) writeSession(id)
    const rows = sessionListSchema.parse(await json('list')).sessions
    const keyOf = (id: string) => rows.find(({ sessionId }) => sessionId === id)?.key ?? ''
    const server = await openTestServer({ home: place.home })
    const get = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        headers: { cookie: server.cookie },
      })
      return [answer.status, await answer.json()] as [number, Record<string, unknown>]
    }
    try {
      for (const beginning of ['+', '+t', '+th', '+three']) {
        // commands resolve it like the server: two starts for one of them are enough
        if (beginning === '+th') {
          expect((await run('show', beginning)).stdout).toContain('I am +three')
          expect((await json('resume', beginning)).command).toContain('+three')
        }
        const [, { session }] = await get(`/api/sessions/${encodeURIComponent(beginning)}`)
        expect(session).toMatchObject({ key: keyOf('+three') })
      }
      const several = await run('show', '=')
      expect([several.code, several.stderr]).toEqual([2, expect.stringContaining('matches 2 sessions')])
      const [status, { error }] = await get('/api/sessions/%3D')
      expect([status, error]).toEqual([
        409,
        expect.objectContaining({
          code: 'ambiguous',
          keys: expect.arrayContaining([keyOf('=one'), keyOf('=two')]),
        }),
      ])
      const key = keyOf('=one')
      for (let length = 1; length <= key.length; length += 1) {
        const beginning = key.slice(0, length)
        const named = rows.filter(
          (row) => row.key.startsWith(beginning) || row.sessionId.startsWith(beginning),
        )
        const [answered] = await get(`/api/sessions/${encodeURIComponent(beginning)}`)
        expect([length, answered]).toEqual([length, named.length === 1 ? 200 : 409])
      }
      expect((await get('/api/sessions/%2Bx'))[0]).toBe(404)
    } finally {
      await server.close()
    }
  })
})
