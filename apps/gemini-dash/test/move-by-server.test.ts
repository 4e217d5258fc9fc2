import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type MoveAnswer, moveAnswerSchema, sessionListSchema } from '@gemini-dash/api'
import { beforeEach, expect, test } from 'vitest'
import { openTestServer } from './open-test-server.ts'
import { inLines, sha256, useMovedProject } from './quiet-home.ts'
import { runProgram } from './run-program.ts'

const IDS = ['11111111-a', '22222222-b']
const AGENT = `chats/${IDS[0]}/abcdef.jsonl`

const place = useMovedProject()
const { write, inHome } = place
beforeEach(() => {
  for (const id of IDS) write(logOf(id), log(id))
  write(`tmp/shop/${AGENT}`, log('abcdef', 'subagent'))
})

const logOf = (id: string) => `tmp/shop/chats/session-2026-11-20T10-00-${id.slice(0, 8)}.jsonl`

function log(sessionId: string, kind = 'main'): string {
  const at = (minute: number) => `2026-11-20T10:0${minute}:00.000Z`
  return inLines(
    { sessionId, projectHash: sha256(place.before), startTime: at(0), lastUpdated: at(2), kind },
    { id: `${sessionId}-1`, timestamp: at(1), type: 'user', content: [{ text: 'hello' }] },
    { id: `${sessionId}-2`, timestamp: at(2), type: 'gemini', content: 'hi' },
  )
}

test('a server moves a session, or all of a project, and nothing of it is missed when it was taken back', async () => {
  const server = await openTestServer({ home: place.home })
  const url = `http://127.0.0.1:${server.port}`
  const headers = { cookie: server.cookie, origin: url, 'content-type': 'application/json' }
  const post = async (path: string, body = {}) => {
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, answer: await answer.json() }
  }
  const move = async (path: string, body = {}): Promise<MoveAnswer> =>
    moveAnswerSchema.parse((await post(path, body)).answer)
  const list = async () => {
    const answer = await fetch(`${url}/api/sessions?kind=all`, { headers })
    return sessionListSchema.parse(await answer.json())
  }
  /** Everything in rows about the location of sessions, and whether any of them is gone. */
  const told = async () => {
    const { sessions, deleted } = await list()
    const rows = sessions.map(({ key, project, deletedSeen, files }) => {
      return {
        key,
        project: project.path,
        deletedSeen,
        files: files.map(({ path, kept }) => ({ path, kept })),
      }
    })
    return { rows: rows.sort((a, b) => a.key.localeCompare(b.key)), deleted }
  }
  const undo = async (id: string | null) => {
    const where = [
      '--home',
      place.home,
      '--data-dir',
      server.dataFolder,
      '--cache-dir',
      join(place.root, 'cache'),
    ]
    expect(await runProgram(['move', '--undo', id ?? '', ...where])).toMatchObject({ code: 0, stderr: '' })
    expect(inHome()).toEqual(files)
    server.lookAgain()
  }
  const files = inHome()
  try {
    await server.keeper.change({ enabled: true })
    const first = await told()
    const row = (await list()).sessions.find(({ sessionId }) => sessionId === IDS[0])
    const [ofSession, ofProject] = [
      `/api/sessions/${row?.key}/move`,
      `/api/projects/${row?.project.key}/move`,
    ]
    const to = `to=${encodeURIComponent(place.now)}`

    const unsigned = await fetch(`${url}${ofProject}?${to}&write=true`, { method: 'POST', body: '{}' })
    expect(unsigned.status).toBe(403)
    for (const [path, status] of [
      [`/api/projects/nothing/move?${to}&write=true`, 404],
      [`/api/sessions/nothing/move?${to}&write=true`, 404],
      [`${ofProject}?write=maybe`, 400],
    ] as const)
      expect([path, (await post(path)).status]).toEqual([path, status])
    const likely = await move(ofProject)
    expect(likely.refused.map(({ code }) => code)).toEqual(['no-target'])
    expect(likely.targets.map(({ path }) => path)).toEqual([place.now])
    const nowhere = await move(`${ofProject}?write=true`, { to: join(place.root, 'nowhere') })
    expect([nowhere.refused.map(({ code }) => code), nowhere.written]).toEqual([['not-a-folder'], null])
    const dry = await move(ofProject, { to: place.now })
    expect([dry.refused, dry.written, dry.sessions, inHome()]).toEqual([[], null, 2, files])

    // The folder in the body, as the page sends it, and in the URL, as the command does.
    for (const [path, body, count] of [
      [`${ofProject}?write=true`, { to: place.now }, 2],
      [`${ofSession}?${to}&write=true`, {}, 1],
    ] as const) {
      const { writes, written, refused, sessions } = await move(path, body)
      expect([refused, sessions]).toEqual([[], count])
      expect(inHome()).toEqual([...files, ...writes.map((each) => each.path)].sort())
      for (const each of writes) {
        expect([each.path, statSync(join(place.home, each.path)).size]).toEqual([each.path, each.sizeBytes])
        const [metadata = ''] = readFileSync(join(place.home, each.path), 'utf8').split('\n')
        expect(JSON.parse(metadata)).toMatchObject({
          projectHash: sha256(place.now),
          movedFrom: [sha256(place.before)],
        })
      }
      const { rows, deleted } = await told()
      const there = rows.filter((each) => each.project === place.now)
      expect([there.length, deleted]).toEqual([writes.length, 0])
      await server.keeper.now()
      await undo(written)
      await expect.poll(told).toEqual(first)
      expect(await server.keeper.now()).toMatchObject({ onlyHere: 0 })
    }
    expect((await move(ofProject, { to: place.now })).refused).toEqual([])
  } finally {
    await server.close()
  }
})
