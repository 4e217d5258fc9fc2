import type { Message } from 'gemini-sessions'
import { Diamond, Info, Lightbulb, UserRound } from 'lucide-react'
import { Markdown } from '../../../../content/markdown/markdown.tsx'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { formatPlural } from '../../../../lib/figures/format.ts'
import { Disclosure } from '../../../../ui/controls/disclosure.tsx'
import { Icon } from '../../../../ui/signs/icon.tsx'
import { useOpen } from '../../open/open-store.ts'
import { PartBody } from '../../part/part-body.tsx'
import type { DrawCalls } from '../call/draw-calls.ts'

interface Props {
  agentKey: string
  message: Message
  /** The first of the conversation: what the sub-agent was asked to do. */
  isFirst: boolean
  drawCalls: DrawCalls
}

/** One message of a sub-agent inside its parent's call: thoughts, words, calls. */
export function AgentMessage({ agentKey, message, isFirst, drawCalls }: Props) {
  const id = `${agentKey} ${message.key}`
  const hasWords = message.content.some((part) => part.kind !== 'text' || part.text.trim() !== '')
  // results are drawn with the calls that they answer
  if (message.origin === 'tool-result' && !hasWords) return null
  return (
    <div className="agent-message">
      {message.thoughts.length > 0 && <Thoughts id={id} message={message} />}
      {hasWords && (
        <div className="agent-said">
          <p className="agent-part">
            <Icon of={iconOf(message)} small />
            {speakerOf(message, isFirst)}
          </p>
          {message.content.map((part, index) =>
            part.kind === 'text' && part.cut === undefined ? (
              <Markdown key={`${index} text`} text={part.text} isSmall />
            ) : (
              <PartBody key={`${index} ${part.kind}`} id={`${id}/part-${index}`} part={part} />
            ),
          )}
        </div>
      )}
      {message.toolCalls.length > 0 && drawCalls(id, message.toolCalls)}
    </div>
  )
}

function Thoughts({ id, message: { thoughts } }: { id: string; message: Message }) {
  const [isOpen, setOpen] = useOpen(`${id}/thoughts`)
  return (
    <Disclosure
      isOpen={isOpen}
      onToggle={setOpen}
      headClassName="agent-thoughts"
      head={
        <>
          <Icon of={Lightbulb} small />
          <b>{formatPlural(thoughts.length, 'thought')}</b>
          {!isOpen && (
            <span className="agent-words" dir="auto">
              <MachineText text={thoughts[0]?.subject ?? ''} />
            </span>
          )}
        </>
      }
    >
      {() =>
        thoughts.map(({ subject, description }, index) => (
          <div key={`${index} ${subject}`} className="agent-thought">
            {subject !== '' && (
              <b dir="auto">
                <MachineText text={subject} />
              </b>
            )}
            <Markdown text={description} isSmall />
          </div>
        ))
      }
    </Disclosure>
  )
}

function iconOf({ type }: Message) {
  if (type === 'gemini') return Diamond
  return type === 'user' ? UserRound : Info
}

function speakerOf({ type, origin }: Message, isFirst: boolean): string {
  if (type === 'gemini') return 'Sub-agent'
  if (type !== 'user') return 'Gemini CLI'
  return isFirst || origin === 'human' ? 'Task' : 'Context'
}
