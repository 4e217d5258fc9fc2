import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionList } from '@gemini-dash/api'
import { questionPath } from '@gemini-dash/api'
import { type GrowingLog, startGrowingLog } from '../../test/growing-log.ts'
import type { Figure } from '../figures/figure.ts'
import { targets } from '../figures/targets.ts'
import type { RunningServer } from '../program/running-server.ts'
import { newFolder, type Workbench, withReadyServer } from '../program/workbench.ts'

const MEGABYTE = 1024 * 1024
const WRITING_MS = 40_000
const POLL_MS = 50
/** For the line written last. */
const GIVE_UP_MS = 60_000

interface Case {
  name: string
  logs: number
  sizeBytes: number
  everyMs: number
}

/** Logs that grow constantly: the time from writing a line until its session's row counts it. */
export async function benchGrowing(bench: Workbench): Promise<Figure[]> {
  const large = bench.options.largeSessionBytes
  const cases: Case[] = [
    { name: '30 MB, 5 lines a second', logs: 1, sizeBytes: 30 * MEGABYTE, everyMs: 200 },
    { name: `${Math.round(large / 1e6)} MB, 1 line a second`, logs: 1, sizeBytes: large, everyMs: 1_000 },
    { name: 'ten of 30 MB, 5 lines a second each', logs: 10, sizeBytes: 30 * MEGABYTE, everyMs: 200 },
  ]
  const figures: Figure[] = []
  for (const each of cases) figures.push(await measure(bench, each))
  return figures
}

async function measure(bench: Workbench, { name, logs, sizeBytes, everyMs }: Case): Promise<Figure> {
  const folder = newFolder(bench, 'growing')
  const home = join(folder, '.gemini')
  const chats = join(home, 'tmp', 'app', 'chats')
  mkdirSync(chats, { recursive: true })
  const written = new Map<string, number[]>()
  const growing: GrowingLog[] = []
  for (let number = 0; number < logs; number += 1) {
    const id = `6a0e${String(number).padStart(4, '0')}-0000-4000-8000-000000000000`
    const times: number[] = []
    const path = join(chats, `session-2026-01-01T00-00-${id.slice(0, 8)}.jsonl`)
    growing.push(
      startGrowingLog(path, { id, sizeBytes, everyMs, onLine: () => times.push(performance.now()) }),
    )
    written.set(id, times)
  }
  try {
    const { lags, problems } = await withReadyServer(bench, { home, folder }, (server) =>
      follow(server, growing, written),
    )
    return {
      benchmark: 'growing',
      name: `line to row: ${name}`,
      unit: 'ms',
      values: lags,
      target: targets.lineToRow,
      checked: 'every line comes to be counted',
      problems,
    }
  } finally {
    for (const log of growing) log.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The lags of all lines written from now on. */
async function follow(
  server: RunningServer,
  growing: readonly GrowingLog[],
  written: ReadonlyMap<string, number[]>,
): Promise<{ lags: number[]; problems: string[] }> {
  const lags: number[] = []
  const first = new Map(
    [...written].map(([id, times], index) => [id, (growing[index]?.messages() ?? 0) - times.length]),
  )
  const next = new Map([...written].map(([id, times]) => [id, times.length]))
  const stopAtMs = performance.now() + WRITING_MS
  const isOver = () => [...written].every(([id, times]) => (next.get(id) ?? 0) >= times.length)
  while (performance.now() < stopAtMs + GIVE_UP_MS) {
    if (performance.now() > stopAtMs) for (const log of growing) log.stop()
    const { sessions } = await server.get<SessionList>(questionPath('sessions', { limit: 1000 }))
    const nowMs = performance.now()
    for (const { sessionId, counts } of sessions) {
      const times = written.get(sessionId) ?? []
      const shown = (counts?.messages ?? 0) - (first.get(sessionId) ?? 0)
      for (let line = next.get(sessionId) ?? 0; line < Math.min(shown, times.length); line += 1) {
        lags.push(nowMs - (times[line] ?? nowMs))
        next.set(sessionId, line + 1)
      }
    }
    if (performance.now() > stopAtMs && isOver()) return { lags, problems: [] }
    await sleep(POLL_MS)
  }
  return { lags, problems: [`lines are not counted ${GIVE_UP_MS} ms after the last was written`] }
}
