import type { Message } from 'gemini-sessions'
import { Box } from 'lucide-react'
import { JsonTree } from '../../../../content/code/json-tree.tsx'
import { Entry } from './entry.tsx'
import { VoiceLine } from './voice-line.tsx'

/** A message of a type that no known version writes: shown as the data it is. */
export function UnknownEntry({
  message,
  isLast,
  labelId,
}: {
  message: Message
  isLast: boolean
  labelId: string
}) {
  return (
    <Entry voice="cli" icon={Box} isLast={isLast}>
      <VoiceLine id={labelId} name="Message of unknown type" message={message} />
      <JsonTree
        value={message.content.map((part) => (part.kind === 'unknown' ? part.json : part))}
        label="Message of unknown type"
      />
    </Entry>
  )
}
