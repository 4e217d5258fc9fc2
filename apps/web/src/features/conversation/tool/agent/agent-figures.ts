import type { SessionSummary } from 'gemini-sessions'
import { formatCost, formatPlural, formatTokens } from '../../../../lib/figures/format.ts'

/** What a sub-agent's conversation took, in a line. */
export function agentFigures({ counts, recorded, usage, cost }: SessionSummary): string {
  return [
    counts === null ? null : formatPlural(counts.answers, 'answer'),
    recorded === null ? null : formatPlural(recorded.toolCalls, 'tool call'),
    usage === null ? null : `${formatTokens(usage.total)} tokens`,
    cost === null ? null : formatCost(cost),
  ]
    .filter((figure) => figure !== null && figure !== '-')
    .join(', ')
}
