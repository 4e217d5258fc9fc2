import { cpSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProjectList, SearchResult, SessionList } from '@gemini-dash/api'
import { afterAll, describe, expect, test } from 'vitest'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { fixtureHome, openTestServer } from './open-test-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'gemini-dash-copied-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const DEMO = fileURLToPath(new URL('../../../fixtures/home', import.meta.url))
const QUESTIONS = [
  '/api/projects',
  '/api/sessions?kind=all&limit=1000',
  '/api/sessions?kind=all&sort=oldest&limit=1000',
  '/api/search?q=price&limit=200',
  '/api/search?q=price&sort=relevance&limit=200',
  ...['day', 'hour-of-week', 'model', 'project', 'session', 'tool'].map((by) => `/api/usage?by=${by}`),
]

/** A server's answers about a home, without the name of that home. */
async function answersOf(home: string): Promise<unknown[]> {
  const server = await openTestServer({ home })
  try {
    const answers: unknown[] = []
    for (const path of QUESTIONS) {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        headers: { cookie: server.cookie },
      })
      expect([path, response.status]).toEqual([path, 200])
      answers.push(JSON.parse((await response.text()).replaceAll(home, 'HOME')))
    }
    return answers
  } finally {
    await server.close()
  }
}

/** Like a recent `cp -r`. */
function copyOf(home: string, name: string): string {
  const copy = join(folder, name)
  cpSync(home, copy, { recursive: true })
  for (const file of readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
    utimesSync(join(copy, file), machineTime(), machineTime())
  }
  return copy
}

describe('R34, A8: times come from records, never from the dates of files', () => {
  test.each([
    ['the demo', DEMO],
    ['0.61.0-interactive', fixtureHome('0.61.0-interactive')],
    ['0.20.2-compress', fixtureHome('0.20.2-compress')],
  ])('a copy of a home has the same answers (%s)', async (name, home) => {
    const [original, copy] = [await answersOf(home), await answersOf(copyOf(home, name))]
    expect(copy).toEqual(original)
  })

  test('a saved chat has no time, says so, and comes last', async () => {
    const [projects, list, oldest, found] = (await answersOf(
      copyOf(fixtureHome('0.61.0-interactive'), 'saved'),
    )) as [ProjectList, SessionList, SessionList, SearchResult]
    for (const { sessions } of [list, oldest]) {
      const last = sessions.at(-1)
      expect([last?.kind, last?.startTime, last?.endTime, last?.lastUpdated]).toEqual([
        'checkpoint',
        null,
        null,
        null,
      ])
    }
    expect(list.days.at(-1)?.day).toBe('unknown')
    for (const { lastActivity } of projects.projects)
      expect(lastActivity ?? '2026-11-21').toMatch(/^2026-11-21/)
    const hits = found.hits.filter(({ sessionKey }) => found.sessions[sessionKey]?.kind === 'checkpoint')
    for (const { timestamp } of hits) expect(timestamp).toBeNull()
  })
})
