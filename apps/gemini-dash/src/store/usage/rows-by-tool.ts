import type { UsageRow } from '@gemini-dash/api'
import type { ToolStats } from 'gemini-sessions'
import { Tally } from './tally.ts'
import type { UsageSource } from './usage-source.ts'

interface Row extends Omit<ToolStats, 'name'> {
  tally: Tally
}

/** A call's tokens are not given to each of its tools: calls, failures, time and what the outputs brought into context instead. */
export function rowsByTool(slices: UsageSource[]): UsageRow[] {
  const rows = new Map<string, Row>()
  for (const { summary, tools } of slices) {
    for (const tool of tools) {
      const row = rows.get(tool.name) ?? emptyRow()
      rows.set(tool.name, row)
      row.calls += tool.calls
      row.errors += tool.errors
      row.outputTokensEstimate += tool.outputTokensEstimate
      row.maxTimeMs += tool.maxTimeMs
      row.timedCalls += tool.timedCalls
      row.tally.addSession(summary)
    }
  }
  return [...rows]
    .map(([name, { tally, ...figures }]) => ({
      key: name,
      label: name,
      usage: null,
      cost: null,
      sessions: tally.figures().sessions,
      ...figures,
    }))
    .sort((a, b) => b.calls - a.calls || (a.key < b.key ? -1 : 1))
}

function emptyRow(): Row {
  return { calls: 0, errors: 0, outputTokensEstimate: 0, maxTimeMs: 0, timedCalls: 0, tally: new Tally() }
}
