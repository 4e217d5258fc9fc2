import type { TranscriptQuery } from '@gemini-dash/api'
import { isPrompt, type Message } from 'gemini-sessions'
import { messageTranscript } from './message-transcript.ts'

/** So many are in memory with all their texts at a time. */
const BATCH_MESSAGES = 100

/** A message, a turn or a session as text; null where there is no such message or turn. `restore` brings what is not held. */
export async function writeTranscript(
  messages: readonly Message[],
  { as, message, turnOf }: TranscriptQuery,
  restore: (messages: readonly Message[]) => Promise<Message[]>,
): Promise<string | null> {
  const wanted = choose(messages, message, turnOf)
  if (wanted.length === 0 && messages.length > 0) return null
  const blocks: string[] = []
  for (let start = 0; start < wanted.length; start += BATCH_MESSAGES) {
    for (const each of await restore(wanted.slice(start, start + BATCH_MESSAGES))) {
      const text = messageTranscript(each, { as, hasHead: message === undefined })
      if (text !== '') blocks.push(text)
    }
  }
  return `${blocks.join('\n\n')}\n`
}

function choose(
  messages: readonly Message[],
  messageKey: string | undefined,
  turnOf: string | undefined,
): readonly Message[] {
  if (messageKey !== undefined) return messages.filter(({ key }) => key === messageKey)
  return turnOf === undefined ? messages : turnAround(messages, turnOf)
}

/** From the prompt before a message to the next; what stands before the first prompt is a turn too. */
function turnAround(messages: readonly Message[], messageKey: string): readonly Message[] {
  const position = messages.findIndex(({ key }) => key === messageKey)
  if (position === -1) return []
  const start = messages.slice(0, position + 1).findLastIndex(isPrompt)
  const next = messages.findIndex((message, index) => index > position && isPrompt(message))
  return messages.slice(Math.max(start, 0), next === -1 ? undefined : next)
}
