import { type Machine, machineLine } from '../program/machine.ts'
import { runtimeName } from '../program/runtime.ts'
import type { Figure } from './figure.ts'
import { judgeFigure } from './judge-figure.ts'
import { describeHome, type Measurement } from './measurement.ts'
import { printNumber } from './print-number.ts'
import { spreadOf } from './spread.ts'

/** One table per home: a row per figure, a column per Node.js. */
export function printMarkdown(machine: Machine, measurements: readonly Measurement[]): string {
  const homes = [...new Set(measurements.map(({ manifest }) => manifest))]
  const tables = homes.map((home) => table(measurements.filter(({ manifest }) => manifest === home)))
  const runs = `Medians, and the percentile that a target names; in brackets what was reached.`
  return `${[`${machineLine(machine)}. ${runs}`, ...tables].join('\n\n')}\n`
}

function table(measurements: readonly Measurement[]): string {
  const [first] = measurements
  if (first === undefined) return ''
  const nodes = measurements.map(({ runtime }) => runtimeName(runtime))
  const rows = first.figures.map((figure) => {
    const same = measurements.map(({ figures }) => figures.find((other) => isSame(other, figure)))
    return [figure.name, limits(figure), ...same.map(cell), besides(same)]
  })
  const head = ['', 'must / wanted', ...nodes, 'other tools, same run']
  return [
    describeHome(first.manifest),
    '',
    row(head),
    row(head.map((_, column) => (column > 0 && column < head.length - 1 ? '---:' : '---'))),
    ...rows.map(row),
  ].join('\n')
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`
}

function isSame(one: Figure, other: Figure): boolean {
  return one.benchmark === other.benchmark && one.name === other.name
}

function limits({ target, unit }: Figure): string {
  if (target === undefined) return ''
  const of = target.of === 'median' ? '' : `${target.of} `
  return `${of}${target.must}${target.wanted === null ? '' : ` / ${target.wanted}`} ${unit}`
}

function cell(figure: Figure | undefined): string {
  if (figure === undefined) return ''
  const { unit, values, problems, target } = figure
  const spread = spreadOf(values)
  if (problems.length > 0) return 'FAILED'
  if (spread === null) return 'not measured'
  const percentile = target === undefined && unit === 'ms' ? 'p95' : target?.of
  const more =
    percentile === undefined || percentile === 'median'
      ? ''
      : `, ${percentile} ${printNumber(spread[percentile])}`
  const verdict = judgeFigure(figure)
  return `${printNumber(spread.median)}${more} ${unit}${verdict === null ? '' : ` (${verdict})`}`
}

/** Each tool with its figure and the factor by which ours exceeds it, per Node.js. */
function besides(figures: readonly (Figure | undefined)[]): string {
  const [first] = figures
  const tools = first?.comparisons?.map(({ tool }) => tool) ?? []
  return tools
    .flatMap((tool) => {
      const pairs = figures.flatMap((figure) => {
        const theirs = spreadOf(figure?.comparisons?.find((each) => each.tool === tool)?.values ?? [])
        const ours = spreadOf(figure?.values ?? [])
        return theirs === null || ours === null ? [] : [{ theirs: theirs.median, ours: ours.median }]
      })
      if (pairs.length === 0) return []
      const values = pairs.map(({ theirs }) => printNumber(theirs)).join(' and ')
      const ratios = pairs.map(({ ours, theirs }) => printNumber(ours / theirs)).join(' and ')
      return [`${tool}: ${values} ${first?.unit}, ours ${ratios} times that`]
    })
    .join('; ')
}
