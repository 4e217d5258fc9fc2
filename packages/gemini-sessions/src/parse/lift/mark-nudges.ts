import type { Message } from '../../model/message.ts'

const NUDGE = 'Please continue.'
/** The CLI asks a model whether to go on, then sends this; nobody reads an answer and types it so fast. */
const LONGEST_PAUSE_MS = 5_000

/**
 * The CLI's own request to go on, in the very words that a person might use: it follows the model's answer within
 * seconds. `messages` stand in order of record.
 */
export function markNudges(messages: readonly Message[]): void {
  messages.forEach((message, index) => {
    const before = messages[index - 1]
    if (message.origin !== 'human' || before?.origin !== 'model' || !saysNudge(message)) return
    const pauseMs = Date.parse(message.timestamp ?? '') - Date.parse(before.timestamp ?? '')
    if (pauseMs >= 0 && pauseMs <= LONGEST_PAUSE_MS) message.origin = 'injected'
  })
}

function saysNudge({ content, attachments }: Message): boolean {
  const [part, ...others] = content
  return (
    attachments.length === 0 && others.length === 0 && part?.kind === 'text' && part.text.trim() === NUDGE
  )
}
