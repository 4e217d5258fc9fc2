import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure } from '../figures/figure.ts'
import { targets } from '../figures/targets.ts'
import { memoryOf, processorMs } from '../program/process-figures.ts'
import { type Workbench, withReadyServer } from '../program/workbench.ts'

/** Longer than the idle time after which threads end. */
const SETTLE_MS = 30_000

/** A server that has indexed everything and gets no requests. */
export async function benchIdle(bench: Workbench): Promise<Figure[]> {
  // Builds the index first, so that a start without work is measured.
  await withReadyServer(bench, {}, async () => undefined)
  return withReadyServer(bench, {}, async ({ pid }) => {
    await sleep(SETTLE_MS)
    const before = processorMs(pid)
    await sleep(bench.options.idleSeconds * 1000)
    const after = processorMs(pid)
    const memory = memoryOf(pid)
    const share =
      before === null || after === null ? null : (after - before) / (bench.options.idleSeconds * 10)
    return [
      {
        benchmark: 'idle',
        name: 'memory, idle',
        unit: 'MB',
        values: memory === null ? [] : [memory.residentBytes / 1e6],
        target: targets.memoryIdle,
        problems: [],
      },
      {
        benchmark: 'idle',
        name: `processor, of one, idle for ${bench.options.idleSeconds} s`,
        unit: '%',
        values: share === null ? [] : [share],
        target: targets.processorIdle,
        problems: [],
      },
    ]
  })
}
