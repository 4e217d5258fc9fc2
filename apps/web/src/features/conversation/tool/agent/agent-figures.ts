import type { SessionSummary } from 'gemini-sessions'
import { formatCost, formatPlural, formatTokens } from '../../../../lib/figures/format.ts'

/** What a sub-agent's conversation took with those that it started, in a line. */
export function agentFigures({ counts, withSubagents }: SessionSummary): string {
  const { usage, cost, toolCalls } = withSubagents
  return [
    counts === null ? null : formatPlural(counts.answers, 'answer'),
    toolCalls === null ? null : formatPlural(toolCalls, 'tool call'),
    usage === null ? null : `${formatTokens(usage.total)} tokens`,
    cost === null ? null : formatCost(cost),
  ]
    .filter((figure) => figure !== null && figure !== '-')
    .join(', ')
}
