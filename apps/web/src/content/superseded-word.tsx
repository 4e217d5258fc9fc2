import type { Message } from 'gemini-sessions'
import { SUPERSEDED_MEANING, SUPERSEDED_WORD } from '../lib/session-words.ts'

interface SupersededWordProps {
  cause: NonNullable<Message['superseded']>
  className?: string
}

/** State of a superseded message; the tooltip explains it and whether it was billed. */
export function SupersededWord({ cause, className }: SupersededWordProps) {
  return (
    <span className={className} title={SUPERSEDED_MEANING[cause]}>
      {SUPERSEDED_WORD[cause]}
    </span>
  )
}
