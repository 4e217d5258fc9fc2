import type { BenchmarkName } from '../program/bench-options.ts'
import type { Target } from './targets.ts'

/** One thing that was measured. */
export interface Figure {
  benchmark: BenchmarkName
  name: string
  unit: 'ms' | 'KB' | 'MB' | 'MB/s' | '%' | 'requests' | 'CLS'
  values: number[]
  target?: Target
  /** The same work by another tool, in turns with ours; null: not on this machine. */
  comparisons?: { tool: string; values: number[] | null }[]
  /** What was compared with the manifest of the home. */
  checked?: string
  /** What the comparison found wrong: the figure counts as not reached. */
  problems: readonly string[]
}
