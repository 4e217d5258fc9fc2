import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionList } from '@gemini-dash/api'
import { questionPath } from '@gemini-dash/api'
import type { Figure } from '../figures/figure.ts'
import { targets } from '../figures/targets.ts'
import { runTool } from '../program/run-tool.ts'
import { timeOf } from '../program/time-of.ts'
import { newFolder, type Workbench, withReadyServer, withServer } from '../program/workbench.ts'

const FIRST_ROWS = 100
/** Longer than the program needs to store the rows of ten thousand sessions for its next start. */
const KEEPING_MS = 3_000

/** From the start of the process to its first list, without an index and with one. */
export async function benchList(bench: Workbench): Promise<Figure[]> {
  await withReadyServer(bench, {}, () => sleep(KEEPING_MS))
  const cold: number[] = []
  const warm: number[] = []
  const bare: number[] = []
  const problems = { cold: new Set<string>(), warm: new Set<string>() }
  for (let run = 0; run < bench.options.runs; run += 1) {
    const first = await startToList(bench, newFolder(bench, 'cold'))
    cold.push(first.milliseconds)
    // Before anything is read, sub-agents may count as sessions of their own: only the number of rows is certain.
    const rows = Math.min(FIRST_ROWS, bench.manifest.sessions)
    if (first.list.sessions.length !== rows)
      problems.cold.add(`${first.list.sessions.length} rows in the first list, not ${rows}`)
    const second = await startToList(bench, bench.keptIndex)
    warm.push(second.milliseconds)
    if (second.list.total !== bench.manifest.sessions)
      problems.warm.add(`${second.list.total} sessions, not ${bench.manifest.sessions}`)
    if (second.list.sessions.some(({ indexed }) => indexed !== 'full'))
      problems.warm.add('rows without figures although everything was indexed before')
    bare.push((await timeOf(() => runTool(bench.runtime.executable, ['-e', '0']))).milliseconds)
  }
  const comparisons = [{ tool: 'node -e 0', values: bare }]
  return [
    {
      benchmark: 'list',
      name: 'start to first list, no index',
      unit: 'ms',
      values: cold,
      target: targets.firstListCold(bench.manifest),
      comparisons,
      checked: 'number of rows',
      problems: [...problems.cold],
    },
    {
      benchmark: 'list',
      name: 'start to first list, warm index',
      unit: 'ms',
      values: warm,
      target: targets.firstListWarm(bench.manifest),
      comparisons,
      checked: 'total, all rows with figures',
      problems: [...problems.warm],
    },
  ]
}

async function startToList(
  bench: Workbench,
  folder: string,
): Promise<{ milliseconds: number; list: SessionList }> {
  const startedAt = performance.now()
  return withServer(bench, { folder }, async ({ get }) => {
    const list = await get<SessionList>(questionPath('sessions'))
    return { milliseconds: performance.now() - startedAt, list }
  })
}
