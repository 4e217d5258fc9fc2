import { type Machine, machineLine } from '../program/machine.ts'
import { runtimeName } from '../program/runtime.ts'
import type { Figure } from './figure.ts'
import { judgeFigure } from './judge-figure.ts'
import { describeHome, type Measurement } from './measurement.ts'
import { printNumber } from './print-number.ts'
import { type Spread, spreadOf } from './spread.ts'

const NAME_WIDTH = 44

export function printFigures(machine: Machine, measurements: readonly Measurement[]): string {
  const blocks = measurements.map(({ runtime, manifest, figures }) =>
    [runtimeName(runtime), describeHome(manifest), ...linesOf(figures)].join('\n'),
  )
  return `${[machineLine(machine), ...blocks].join('\n\n')}\n`
}

function linesOf(figures: readonly Figure[]): string[] {
  const lines: string[] = []
  let last: Figure | null = null
  for (const figure of figures) {
    if (figure.benchmark !== last?.benchmark) lines.push('', figure.benchmark)
    // Figures of one run fail together; the reason is printed once.
    const isToldAbove = last !== null && figure.problems.join() === last.problems.join()
    lines.push(...figureLines(figure, isToldAbove))
    last = figure
  }
  return lines
}

function figureLines(figure: Figure, isToldAbove: boolean): string[] {
  const { name, unit, values, comparisons = [], checked, problems } = figure
  const spread = spreadOf(values)
  const label = `  ${name.padEnd(NAME_WIDTH)}`
  if (problems.length > 0) {
    return [`${label}FAILED`, ...(isToldAbove ? [] : problems.map((problem) => `    ${problem}`))]
  }
  if (spread === null) return [`${label}not measured on this system`]
  const { median, lowest, highest, runs } = spread
  const one = `${label}${printNumber(median).padStart(7)} ${unit}`
  const tail = checked === undefined ? '' : `  [${checked}]`
  const detail =
    runs === 1
      ? ''
      : `  ${percentiles(spread, unit)}${printNumber(lowest)} to ${printNumber(highest)}, ${runs} runs`
  return [
    `${one}${detail}${tail}`,
    ...targetLines(figure),
    ...comparisons.map((other) => comparisonLine(median, unit, other)),
  ]
}

/** Only for times: slow runs are the high percentiles of times, but the low ones of rates. */
function percentiles({ p95, p99, runs }: Spread, unit: Figure['unit']): string {
  if (unit !== 'ms') return ''
  return runs >= 100 ? `p95 ${printNumber(p95)}, p99 ${printNumber(p99)}, ` : `p95 ${printNumber(p95)}, `
}

function targetLines(figure: Figure): string[] {
  const { target, unit } = figure
  if (target === undefined) return []
  const wanted = target.wanted === null ? '' : `, wanted ${target.wanted}`
  return [`    ${judgeFigure(figure)}: ${target.of}, must ${target.must}${wanted} ${unit}`]
}

function comparisonLine(
  ours: number,
  unit: Figure['unit'],
  { tool, values }: NonNullable<Figure['comparisons']>[number],
): string {
  const spread = values === null ? null : spreadOf(values)
  const label = `    ${tool.padEnd(NAME_WIDTH - 2)}`
  if (spread === null) return `${label}not on this machine`
  const ratio = printNumber(ours / spread.median)
  const words = unit === 'ms' ? `ours takes ${ratio} times as long` : `ours is ${ratio} times as fast`
  return `${label}${printNumber(spread.median).padStart(7)} ${unit}  ${words}`
}
