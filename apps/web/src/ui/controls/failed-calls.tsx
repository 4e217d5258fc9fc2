import type { Turn } from 'gemini-sessions'
import type { ReactNode } from 'react'
import { formatCount } from '../../lib/figures/format.ts'
import { ToMessage } from './to-message.tsx'

interface Props {
  sessionRef: string
  turn: Pick<Turn, 'toolErrors' | 'failedKey'>
  /** Before the words. */
  sign?: ReactNode
}

/** How many calls of a turn failed, as the way to the first of them. Nothing where none did. */
export function FailedCalls({ sessionRef, turn: { toolErrors, failedKey }, sign }: Props) {
  if (toolErrors === 0 || failedKey === null) return null
  return (
    <ToMessage
      sessionRef={sessionRef}
      messageKey={failedKey}
      call={null}
      className="failure-link"
      title="Go to the first of them"
    >
      {sign}
      {formatCount(toolErrors)} failed
    </ToMessage>
  )
}
