import './marginalia.css'
import type { Message, TokenUsage } from 'gemini-sessions'
import { useHasPrices } from '../../../../api/use-has-prices.ts'
import { ExplainButton } from '../../../../content/explain/explain-button.tsx'
import {
  describeCost,
  formatCost,
  formatCount,
  formatFineUsd,
  formatPercent,
  formatTokens,
} from '../../../../lib/figures/format.ts'
import { TokenBar } from '../../../../ui/figures/token-bar.tsx'

/** What one call cost, in figures with their words. Copies and calls without a record have none. */
export function Marginalia({ message }: { message: Message }) {
  const { usage, cost } = message
  const hasPrices = useHasPrices()
  if (usage === null) return null
  return (
    <div className="marginalia" title={exactly(usage)}>
      <TokenBar usage={usage} />
      <dl>
        <div>
          <dt>
            in{usage.cached > 0 && `, ${formatPercent(usage.cached / Math.max(usage.input, 1))} cached`}
          </dt>
          <dd>
            <ExplainButton of={{ kind: 'call', messageKey: message.key, figure: 'input' }}>
              {formatTokens(usage.input)}
            </ExplainButton>
          </dd>
        </div>
        <div>
          <dt>out{usage.thoughts > 0 && `, ${formatTokens(usage.thoughts)} thoughts`}</dt>
          <dd>
            <ExplainButton of={{ kind: 'call', messageKey: message.key, figure: 'output' }}>
              {formatTokens(usage.output)}
            </ExplainButton>
          </dd>
        </div>
        {hasPrices && (
          <div>
            <dt>{cost?.usd == null ? 'price unknown' : 'cost'}</dt>
            <dd title={describeCost(cost)}>
              <ExplainButton of={{ kind: 'call', messageKey: message.key, figure: 'cost' }}>
                {cost?.usd == null ? formatCost(cost) : formatFineUsd(cost.usd)}
              </ExplainButton>
            </dd>
          </div>
        )}
      </dl>
    </div>
  )
}

function exactly(usage: TokenUsage): string {
  const figures = [
    ['input', usage.input],
    ['of it cached', usage.cached],
    ['output', usage.output],
    ['thoughts', usage.thoughts],
    ['tool', usage.tool],
    ['total as recorded', usage.total],
  ] as const
  return figures
    .filter(([, tokens]) => tokens > 0)
    .map(([name, tokens]) => `${name} ${formatCount(tokens)}`)
    .join(', ')
}
