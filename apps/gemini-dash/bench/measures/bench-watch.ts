import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { questionPath, type SessionList } from '@gemini-dash/api'
import { startGrowingLog } from '../../test/growing-log.ts'
import type { Figure } from '../figures/figure.ts'
import { targets } from '../figures/targets.ts'
import type { RunningServer } from '../program/running-server.ts'
import { newFolder, type Workbench, withReadyServer } from '../program/workbench.ts'

const PROJECTS = 20
const TIMES_PER_RUN = 3
/** By then the previous watches are active again. */
const PAUSE_MS = 2_000
const POLL_MS = 20
/** Longer than a sweep takes. */
const GIVE_UP_MS = 90_000

/** The time from writing a session until its row exists, after the watched folders were replaced. */
export async function benchWatch(bench: Workbench): Promise<Figure[]> {
  const folder = newFolder(bench, 'watch')
  const home = join(folder, '.gemini')
  for (let project = 0; project < PROJECTS; project += 1) writeSession(home, project, project)
  try {
    return await withReadyServer(bench, { home, folder }, (server) => measure(bench, server, home))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(bench: Workbench, server: RunningServer, home: string): Promise<Figure[]> {
  const madeAnew: number[] = []
  const movedBack: number[] = []
  const problems: string[] = []
  const note = (values: number[], took: number | null) => {
    if (took === null) problems.push(`no row within ${GIVE_UP_MS} ms`)
    else values.push(took)
  }
  let number = PROJECTS
  for (let time = 0; time < bench.options.runs * TIMES_PER_RUN; time += 1) {
    await sleep(PAUSE_MS)
    const project = time % PROJECTS
    rmSync(chatsOf(home, project), { recursive: true })
    note(madeAnew, await timeUntil(server, writeSession(home, project, number++)))

    await sleep(PAUSE_MS)
    renameSync(home, `${home}-away`)
    await until(async () => (await list(server)).unread !== undefined)
    renameSync(`${home}-away`, home)
    note(movedBack, await timeUntil(server, writeSession(home, project, number++)))
  }
  const shared = { benchmark: 'watch', unit: 'ms', target: targets.lostWatch, problems } as const
  return [
    { ...shared, name: 'session in a folder that was made anew, to its row', values: madeAnew },
    { ...shared, name: 'session in a home that was moved away and back, to its row', values: movedBack },
  ]
}

function writeSession(home: string, project: number, number: number): string {
  const id = `${10_000_000 + number}-0000-4000-8000-000000000000`
  const chats = chatsOf(home, project)
  mkdirSync(chats, { recursive: true })
  const path = join(chats, `session-2026-01-01T00-00-${id.slice(0, 8)}.jsonl`)
  startGrowingLog(path, { id, sizeBytes: 1, everyMs: GIVE_UP_MS }).stop()
  return id
}

function chatsOf(home: string, project: number): string {
  return join(home, 'tmp', `app-${project}`, 'chats')
}

/** null: timed out. */
async function timeUntil(server: RunningServer, sessionId: string): Promise<number | null> {
  const startedAt = performance.now()
  const isThere = async () =>
    (await list(server)).sessions.some((row) => row.sessionId === sessionId && row.indexed === 'full')
  return (await until(isThere)) ? performance.now() - startedAt : null
}

async function until(isSo: () => Promise<boolean>): Promise<boolean> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < GIVE_UP_MS) {
    if (await isSo()) return true
    await sleep(POLL_MS)
  }
  return false
}

function list(server: RunningServer): Promise<SessionList> {
  return server.get<SessionList>(questionPath('sessions', { limit: 1000 }))
}
