import type { Figure } from './figures/figure.ts'
import { benchAppend } from './measures/bench-append.ts'
import { benchArchive } from './measures/bench-archive.ts'
import { benchGrowing } from './measures/bench-growing.ts'
import { benchHostile } from './measures/bench-hostile.ts'
import { benchIdle } from './measures/bench-idle.ts'
import { benchIndex } from './measures/bench-index.ts'
import { benchLargeSession } from './measures/bench-large-session.ts'
import { benchList } from './measures/bench-list.ts'
import { benchMcp } from './measures/bench-mcp.ts'
import { benchQuery } from './measures/bench-query.ts'
import { benchUsage } from './measures/bench-usage.ts'
import { benchWatch } from './measures/bench-watch.ts'
import { benchInteraction } from './measures/browser/bench-interaction.ts'
import { benchOpening } from './measures/browser/bench-opening.ts'
import { benchPage } from './measures/browser/bench-page.ts'
import { type BenchmarkName, FURTHER_BENCHMARKS } from './program/bench-options.ts'
import { timeOf } from './program/time-of.ts'
import type { Workbench } from './program/workbench.ts'

const WORK: Record<BenchmarkName, (bench: Workbench) => Promise<Figure[]>> = {
  list: benchList,
  index: benchIndex,
  query: benchQuery,
  usage: benchUsage,
  mcp: benchMcp,
  append: benchAppend,
  archive: benchArchive,
  page: benchPage,
  growing: benchGrowing,
  watch: benchWatch,
  'large-session': benchLargeSession,
  opening: benchOpening,
  interaction: benchInteraction,
  idle: benchIdle,
  hostile: benchHostile,
}

/** The requested benchmarks, one after the other; one that fails does not stop the others. */
export async function runBenchmarks(bench: Workbench): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const name of bench.options.only) {
    if (bench.isFurther && !FURTHER_BENCHMARKS.includes(name)) continue
    const { version } = bench.runtime
    process.stderr.write(`Node ${version}, ${bench.manifest.sessions} sessions, ${name} ... `)
    const { milliseconds, result } = await timeOf(() =>
      WORK[name](bench).catch((error) => [broken(name, error)]),
    )
    process.stderr.write(`${(milliseconds / 1000).toFixed(0)} s\n`)
    figures.push(...result)
  }
  return figures
}

function broken(benchmark: BenchmarkName, error: unknown): Figure {
  const reason = error instanceof Error ? error.message : String(error)
  return { benchmark, name: 'broke off', unit: 'ms', values: [], problems: [reason] }
}
