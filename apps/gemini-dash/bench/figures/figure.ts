import type { BenchmarkName } from '../program/bench-options.ts'
import type { Target } from './targets.ts'

/** One measured figure. */
export interface Figure {
  benchmark: BenchmarkName
  name: string
  unit: 'ms' | 'KB' | 'MB' | 'MB/s' | '%' | 'requests' | 'CLS'
  values: number[]
  target?: Target
  /** The same work by another tool, measured in turns with ours; null: not installed on this machine. */
  comparisons?: { tool: string; values: number[] | null }[]
  /** What was compared with the manifest of the home. */
  checked?: string
  /** Mismatches found by the comparison: the figure counts as not reached. */
  problems: readonly string[]
}
