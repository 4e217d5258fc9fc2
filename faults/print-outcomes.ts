import type { FaultPart } from './fault-part.ts'
import type { Findings } from './trial.ts'

export interface Outcome {
  part: FaultPart
  findings: Findings | null
  seconds: number
  /** Why it was skipped. */
  skipped: string | null
  hasFailed: boolean
}

const SHOWN = 30

/** All findings of a part. */
export function printFindings({ part, findings }: Outcome): string {
  const sentences = [...(findings?.losses ?? []), ...(findings?.differences ?? [])]
  const more = sentences.length > SHOWN ? [`${sentences.length - SHOWN} more`] : []
  return [...sentences.slice(0, SHOWN), ...more].map((sentence) => `${part.name}: ${sentence}\n`).join('')
}

/** The summary table. */
export function printOutcomes(outcomes: readonly Outcome[]): string {
  const head = ['part', 'runs', 'faults', 'losses', 'differences', 'seconds']
  const rows = outcomes.map(({ part, findings, seconds, skipped, hasFailed }) =>
    findings === null
      ? [part.name, `${hasFailed ? 'FAILED' : 'skipped'}: ${skipped}`]
      : [part.name, ...countsOf(findings), String(seconds)],
  )
  const widths = head.map((name, column) =>
    Math.max(
      name.length,
      ...rows.filter((row) => row.length === head.length).map((row) => (row[column] ?? '').length),
    ),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(Math.max(widths[0] ?? 0, 16)) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  return `\n${[head, ...rows].map(line).join('\n')}\n`
}

/** Table columns: runs, faults, losses, differences. */
export function countsOf({ runs, faults, losses, differences }: Findings): string[] {
  return [runs, faults, losses.length, differences.length].map(String)
}
