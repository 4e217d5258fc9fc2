import type { UsageRow } from '@gemini-dash/api'
import { Tally } from './tally.ts'
import type { UsageSource } from './usage-source.ts'

/** A call's tokens are not given to each of its tools: calls, failures and what the outputs brought into context instead. */
export function rowsByTool(slices: UsageSource[]): UsageRow[] {
  const rows = new Map<string, { calls: number; errors: number; outputTokens: number; tally: Tally }>()
  for (const { summary, tools } of slices) {
    for (const tool of tools) {
      const row = rows.get(tool.name) ?? { calls: 0, errors: 0, outputTokens: 0, tally: new Tally() }
      rows.set(tool.name, row)
      row.calls += tool.calls
      row.errors += tool.errors
      row.outputTokens += tool.outputTokensEstimate
      row.tally.addSession(summary)
    }
  }
  return [...rows]
    .map(([name, { calls, errors, outputTokens, tally }]) => ({
      key: name,
      label: name,
      usage: null,
      cost: null,
      calls,
      sessions: tally.figures().sessions,
      errors,
      outputTokensEstimate: outputTokens,
    }))
    .sort((a, b) => b.calls - a.calls || (a.key < b.key ? -1 : 1))
}
