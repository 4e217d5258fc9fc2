import './marginalia.css'
import type { Message, TokenUsage } from 'gemini-sessions'
import { Diamond, Wrench } from 'lucide-react'
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
import { ToolRack } from '../../tool/tool-rack.tsx'
import { MessageActions } from '../actions/message-actions.tsx'
import { PartBody } from '../part/part-body.tsx'
import { Entry } from './entry.tsx'
import { ThoughtEntry } from './thought-entry.tsx'
import { VoiceLine } from './voice-line.tsx'

interface Props {
  message: Message
  isLast: boolean
  labelId: string
  isPending: boolean
}

/** A model's message: thoughts, then what it says, then what it calls. Its figures stand beside the first that fits. */
export function ModelEntries({ message, isLast, labelId, isPending }: Props) {
  const hasThoughts = message.thoughts.length > 0
  const hasText = message.content.some((part) => part.kind !== 'text' || part.text.trim() !== '')
  const hasCalls = message.toolCalls.length > 0
  const isSilent = !hasThoughts && !hasText && !hasCalls
  const name = message.agentKey === null ? 'Gemini' : 'Sub-agent'
  const figures = <Marginalia message={message} />
  return (
    <>
      {hasThoughts && (
        <ThoughtEntry
          message={message}
          isLast={isLast && !hasText && !hasCalls}
          labelId={hasText ? undefined : labelId}
          margin={!hasText && !hasCalls && figures}
        />
      )}
      {(hasText || isSilent) && (
        <Entry voice="model" icon={Diamond} isLast={isLast && !hasCalls} margin={figures}>
          <VoiceLine
            id={labelId}
            name={name}
            message={message}
            actions={<MessageActions message={message} />}
          />
          {isSilent && <p className="dim">No answer was recorded.</p>}
          {message.content.map((part, index) => (
            <PartBody key={`${index} ${part.kind}`} id={`${message.key}/part-${index}`} part={part} />
          ))}
        </Entry>
      )}
      {hasCalls && (
        <Entry voice="tool" icon={Wrench} isLast={isLast} margin={!hasText && figures}>
          {!hasText && !hasThoughts && (
            <span id={labelId} className="visually-hidden">
              {name}, tools
            </span>
          )}
          <ToolRack messageKey={message.key} calls={message.toolCalls} isPending={isPending} />
        </Entry>
      )}
    </>
  )
}

/** What one call cost, in figures with their words. Copies and calls without a record have none. */
function Marginalia({ message }: { message: Message }) {
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
