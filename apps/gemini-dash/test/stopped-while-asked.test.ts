import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Health, SessionList } from '@gemini-dash/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyQuestion } from './every-question.ts'
import { WAIT } from './faulty-program.ts'
import { fixtureHome } from './open-test-server.ts'
import { AGAIN_AFTER_FORCE, expectOwnEnd } from './own-end.ts'
import { startProgram } from './run-program.ts'

/** As many as a browser with several tabs has in flight. */
const ASKERS = 24
/** Number of answers before it is stopped: each client has a request in flight then. */
const ANSWERS_BEFORE_THE_END = 200

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test(
  'a stop in the middle of questions ends connections, answers none with a failure, and reports none',
  AGAIN_AFTER_FORCE,
  async () => {
    const own = ['--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
    const flags = ['--no-open', '--no-token', '--json', '--port', '0', '--home', fixtureHome('0.61.0')]
    const { child, firstLine, finished } = startProgram(['serve', ...flags, ...own])
    const origin = `http://127.0.0.1:${JSON.parse(await firstLine).port}`
    const get = async <Answer>(path: string) => (await (await fetch(origin + path)).json()) as Answer
    await expect.poll(async () => (await get<Health>('/api/health')).index.state, WAIT).toBe('ready')
    const { sessions } = await get<SessionList>('/api/sessions')
    const paths = sessions.flatMap(({ key }) =>
      everyQuestion({ key, messageKeys: [], callIds: [], word: 'the' }).map(({ path }) => path),
    )

    const failures: string[] = []
    let answered = 0
    const ask = async (first: number) => {
      for (let at = first; ; at += 1) {
        const path = paths[at % paths.length] ?? ''
        const answer = await fetch(origin + path).catch(() => null)
        if (answer === null) return
        if (answer.status >= 500) failures.push(`${answer.status} ${path}`)
        await answer.arrayBuffer().catch(() => null)
        answered += 1
        if (answered === ANSWERS_BEFORE_THE_END) child.kill('SIGTERM')
      }
    }
    await Promise.all(Array.from({ length: ASKERS }, (_, asker) => ask(asker * 7)))
    const { stderr } = expectOwnEnd(await finished)

    expect(answered).toBeGreaterThanOrEqual(ANSWERS_BEFORE_THE_END)
    expect(failures).toEqual([])
    expect(stderr).not.toContain('Problem')
  },
)
