import type { Figure } from './figure.ts'
import type { Machine } from './machine.ts'
import { type Spread, spreadOf } from './spread.ts'

const NAME_WIDTH = 44

export function printFigures(machine: Machine, home: string, figures: readonly Figure[]): string {
  const { node, driver, processor, threads, system, loadAverage } = machine
  const lines = [
    `Node ${node}, ${driver}; ${processor}, ${threads} threads; ${system}; load ${loadAverage.toFixed(1)}`,
    home,
  ]
  let last: Figure | null = null
  for (const figure of figures) {
    if (figure.benchmark !== last?.benchmark) lines.push('', figure.benchmark)
    // Figures of one run fail together; once is enough to say why.
    const isToldAbove = last !== null && figure.problems.join() === last.problems.join()
    lines.push(...figureLines(figure, isToldAbove))
    last = figure
  }
  return `${lines.join('\n')}\n`
}

function figureLines(
  { name, unit, values, comparisons = [], checked, problems }: Figure,
  isToldAbove: boolean,
): string[] {
  const spread = spreadOf(values)
  const label = `  ${name.padEnd(NAME_WIDTH)}`
  if (problems.length > 0) {
    return [`${label}FAILED`, ...(isToldAbove ? [] : problems.map((problem) => `    ${problem}`))]
  }
  if (spread === null) return [`${label}not measured on this system`]
  const { median, lowest, highest, runs } = spread
  const one = `${label}${number(median).padStart(7)} ${unit}`
  const tail = checked === undefined ? '' : `  [${checked}]`
  const detail =
    runs === 1 ? '' : `  ${percentiles(spread, unit)}${number(lowest)} to ${number(highest)}, ${runs} runs`
  return [`${one}${detail}${tail}`, ...comparisons.map((other) => comparisonLine(median, unit, other))]
}

/** Of times only: what is slow is at the top there, and at the bottom of rates. */
function percentiles({ p95, p99, runs }: Spread, unit: Figure['unit']): string {
  if (unit !== 'ms') return ''
  return runs >= 100 ? `p95 ${number(p95)}, p99 ${number(p99)}, ` : `p95 ${number(p95)}, `
}

function comparisonLine(
  ours: number,
  unit: Figure['unit'],
  { tool, values }: NonNullable<Figure['comparisons']>[number],
): string {
  const spread = values === null ? null : spreadOf(values)
  const label = `    ${tool.padEnd(NAME_WIDTH - 2)}`
  if (spread === null) return `${label}not on this machine`
  const ratio = number(ours / spread.median)
  const words = unit === 'ms' ? `ours takes ${ratio} times as long` : `ours is ${ratio} times as fast`
  return `${label}${number(spread.median).padStart(7)} ${unit}  ${words}`
}

function number(value: number): string {
  const size = Math.abs(value)
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}
