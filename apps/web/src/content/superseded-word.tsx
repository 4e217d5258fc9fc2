import type { Message } from 'gemini-sessions'
import { SUPERSEDED_MEANING, SUPERSEDED_WORD } from '../lib/session-words.ts'

interface SupersededWordProps {
  cause: NonNullable<Message['superseded']>
  className?: string
}

/** What became of a message; what that means, and whether it was billed, is in its tooltip. */
export function SupersededWord({ cause, className }: SupersededWordProps) {
  return (
    <span className={className} title={SUPERSEDED_MEANING[cause]}>
      {SUPERSEDED_WORD[cause]}
    </span>
  )
}
