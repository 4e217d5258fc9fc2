import type { Message } from 'gemini-sessions'
import { Diamond, Wrench } from 'lucide-react'
import { ToolRack } from '../../tool/tool-rack.tsx'
import { MessageActions } from '../actions/message-actions.tsx'
import { PartBody } from '../part/part-body.tsx'
import { Entry } from './entry.tsx'
import { Marginalia } from './marginalia.tsx'
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
