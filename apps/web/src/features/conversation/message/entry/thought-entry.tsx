import './thought-entry.css'
import type { Message, Thought } from 'gemini-sessions'
import { Lightbulb } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import { Markdown } from '../../../../content/markdown/markdown.tsx'
import { HitContext } from '../../../../content/text/hit-context.ts'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { hasHit } from '../../../../content/text/mark-ranges.ts'
import { formatClock, formatDuration, formatPlural, formatTokens } from '../../../../lib/figures/format.ts'
import { Disclosure } from '../../../../ui/controls/disclosure.tsx'
import { TimeText } from '../../../../ui/figures/time-text.tsx'
import { useOpen } from '../../open/open-store.ts'
import { messageAnchor } from '../actions/message-link.ts'
import { PartLink } from '../part/part-link.tsx'
import { Entry } from './entry.tsx'

interface Props {
  message: Message
  isLast: boolean
  /** Where nothing else names the message. */
  labelId: string | undefined
  margin: ReactNode
}

/** Thoughts, closed to one line: how many, the first subject. */
export function ThoughtEntry({ message, isLast, labelId, margin }: Props) {
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
            <b id={labelId}>{formatPlural(thoughts.length, 'thought')}</b>
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
        <h4 dir="auto">
          <MachineText text={thought.subject} />
        </h4>
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
