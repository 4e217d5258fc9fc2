import type { Machine } from '../program/machine.ts'
import { judgeFigure } from './judge-figure.ts'
import type { Measurement } from './measurement.ts'
import { spreadOf } from './spread.ts'

export function printJson(machine: Machine, measurements: readonly Measurement[]): string {
  const measured = measurements.map(({ runtime, manifest, figures }) => {
    const { needles, countedQueries, ...home } = manifest
    const { version, driver } = runtime
    return {
      node: version,
      driver,
      home,
      figures: figures.map((figure) => {
        const { values, comparisons = [], ...rest } = figure
        return {
          ...rest,
          ...spreadOf(values),
          verdict: judgeFigure(figure),
          comparisons: comparisons.map(({ tool, values: times }) => ({ tool, ...spreadOf(times ?? []) })),
        }
      }),
    }
  })
  return `${JSON.stringify({ machine, measured }, null, 2)}\n`
}
