import './marginalia.css'
import './thought-entry.css'
import type { Message, Thought, TokenUsage } from 'gemini-sessions'
import { Diamond, Lightbulb, Wrench } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import { useHasPrices } from '../../../../api/health.ts'
import { ExplainButton } from '../../../../content/explain/explain-button.tsx'
import { Markdown } from '../../../../content/markdown/markdown.tsx'
import { NeighbourContext } from '../../../../content/neighbours/neighbour-context.ts'
import { OriginLink } from '../../../../content/neighbours/origin-link.tsx'
import { HitContext } from '../../../../content/text/hit-context.ts'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { hasHit } from '../../../../content/text/mark-ranges.ts'
import {
  describeCost,
  formatClock,
  formatCost,
  formatCount,
  formatDuration,
  formatFineUsd,
  formatPercent,
  formatPlural,
  formatTokens,
} from '../../../../lib/figures/format.ts'
import { Disclosure } from '../../../../ui/controls/disclosure.tsx'
import { TimeText } from '../../../../ui/figures/time-text.tsx'
import { TokenBar } from '../../../../ui/figures/token-bar.tsx'
import { useOpen } from '../../open/open-store.ts'
import { messageAnchor } from '../../part/message-link.ts'
import { PartBody } from '../../part/part-body.tsx'
import { PartLink } from '../../part/part-link.tsx'
import { ToolRack } from '../../tool/tool-rack.tsx'
import { MessageActions } from '../actions/message-actions.tsx'
import { Entry } from './entry.tsx'
import { VoiceLine } from './voice-line.tsx'

interface Props {
  message: Message
  isLast: boolean
  isPending: boolean
}

/** A model's message: thoughts, then what it says, then what it calls. Its figures stand beside the first that fits. */
export function ModelEntries({ message, isLast, isPending }: Props) {
  const hasThoughts = message.thoughts.length > 0
  const hasText = message.content.some((part) => part.kind !== 'text' || part.text.trim() !== '')
  const hasCalls = message.toolCalls.length > 0
  const isSilent = !hasThoughts && !hasText && !hasCalls
  const figures = <Marginalia message={message} />
  // without words there is no line of the voice to hold them
  const figuresAndActions = (
    <>
      {figures}
      <MessageActions message={message} />
    </>
  )
  return (
    <>
      {hasThoughts && (
        <ThoughtEntry
          message={message}
          isLast={isLast && !hasText && !hasCalls}
          margin={!hasText && !hasCalls && figuresAndActions}
        />
      )}
      {(hasText || isSilent) && (
        <Entry voice="model" icon={Diamond} isLast={isLast && !hasCalls} margin={figures}>
          <VoiceLine message={message} actions={<MessageActions message={message} />} />
          {isSilent && <p className="dim">No answer was recorded.</p>}
          {message.content.map((part, index) => (
            <PartBody key={`${index} ${part.kind}`} id={`${message.key}/part-${index}`} part={part} />
          ))}
        </Entry>
      )}
      {hasCalls && (
        <Entry voice="tool" icon={Wrench} isLast={isLast} margin={!hasText && figuresAndActions}>
          <ToolRack messageKey={message.key} calls={message.toolCalls} isPending={isPending} />
        </Entry>
      )}
    </>
  )
}

/** What one call cost, in figures with their words, or which session counts it. Copies and calls without a record have none. */
function Marginalia({ message }: { message: Message }) {
  const { usage, cost, billedIn } = message
  const hasPrices = useHasPrices()
  const { related } = useContext(NeighbourContext)
  if (billedIn !== undefined)
    return (
      <p className="marginalia">
        Counted in <OriginLink sessionKey={billedIn} related={related} />
      </p>
    )
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

interface ThoughtEntryProps {
  message: Message
  isLast: boolean
  margin: ReactNode
}

/** Thoughts, closed to one line: how many, the first subject. */
function ThoughtEntry({ message, isLast, margin }: ThoughtEntryProps) {
  const { thoughts, usage } = message
  const terms = useContext(HitContext)
  const isFound =
    terms.length > 0 && thoughts.some((thought) => hasHit(`${thought.subject} ${thought.description}`, terms))
  const [isOpen, setOpen] = useOpen(`${message.key}/thoughts`, isFound)
  const subject = thoughts.find((thought) => thought.subject !== '')?.subject ?? ''
  return (
    <Entry voice="thought" icon={Lightbulb} isLast={isLast} margin={margin}>
      <Disclosure
        isOpen={isOpen}
        onToggle={setOpen}
        headClassName="thought-head"
        head={
          <>
            <b>{formatPlural(thoughts.length, 'thought')}</b>
            {!isOpen && (
              <span className="thought-subject" dir="auto">
                <MachineText text={subject} />
              </span>
            )}
            {usage !== null && usage.thoughts > 0 && (
              <span className="thought-size">{formatTokens(usage.thoughts)} tokens</span>
            )}
          </>
        }
      >
        {() => (
          <ul className="thought-list">
            {thoughts.map((thought, index) => (
              <ThoughtItem
                key={`${index} ${thought.subject}`}
                messageKey={message.key}
                index={index}
                thought={thought}
                previousTime={thoughts[index - 1]?.timestamp ?? null}
              />
            ))}
          </ul>
        )}
      </Disclosure>
    </Entry>
  )
}

interface ItemProps {
  messageKey: string
  index: number
  thought: Thought
  previousTime: string | null
}

function ThoughtItem({ messageKey, index, thought, previousTime }: ItemProps) {
  const part = `thought-${index}`
  const { timestamp } = thought
  const afterMs =
    timestamp !== null && previousTime !== null ? Date.parse(timestamp) - Date.parse(previousTime) : 0
  return (
    <li id={messageAnchor(messageKey, part)} className="has-part-link">
      <PartLink messageKey={messageKey} part={part} what="thought" />
      {thought.subject !== '' && (
        <h3 dir="auto">
          <MachineText text={thought.subject} />
        </h3>
      )}
      <Markdown text={thought.description} isSmall />
      {timestamp !== null && (
        <p className="dim thought-time">
          <TimeText time={timestamp}>{formatClock(timestamp, 'seconds')}</TimeText>
          {afterMs >= 100 && `, ${formatDuration(afterMs)} after the one before`}
        </p>
      )}
    </li>
  )
}
