import type { Turn } from 'gemini-sessions'
import { ExplainButton } from '../../../content/explain/explain-button.tsx'
import {
  describeCost,
  formatDuration,
  formatFineCost,
  formatPlural,
  formatTokens,
} from '../../../lib/figures/format.ts'

/** What a turn took: calls, tools, time, tokens, cost. What is zero is left out. */
export function TurnTally({ turn }: { turn: Turn }) {
  const { usage, cost, startTime, endTime } = turn
  const durationMs = startTime !== null && endTime !== null ? Date.parse(endTime) - Date.parse(startTime) : 0
  return (
    <span className="turn-tally">
      {usage.calls > 0 && <span>{formatPlural(usage.calls, 'call')}</span>}
      {turn.toolCalls > 0 && <span>{formatPlural(turn.toolCalls, 'tool call')}</span>}
      {turn.toolErrors > 0 && <span className="tone-error">{turn.toolErrors} failed</span>}
      {durationMs >= 100 && <span>{formatDuration(durationMs)}</span>}
      {usage.input > 0 && (
        <span>
          <ExplainButton of={{ kind: 'turn', number: turn.number, figure: 'input' }}>
            {formatTokens(usage.input)} in
          </ExplainButton>
        </span>
      )}
      {usage.output > 0 && (
        <span>
          <ExplainButton of={{ kind: 'turn', number: turn.number, figure: 'output' }}>
            {formatTokens(usage.output)} out
          </ExplainButton>
        </span>
      )}
      {cost.usd !== null && (
        <span className="turn-cost" title={describeCost(cost)}>
          <ExplainButton of={{ kind: 'turn', number: turn.number, figure: 'cost' }}>
            {formatFineCost(cost)}
          </ExplainButton>
        </span>
      )}
    </span>
  )
}
