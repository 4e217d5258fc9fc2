import type { TranscriptQuery } from '@gemini-dash/api'
import { isPrompt, type Message } from 'gemini-sessions'
import { messageTranscript } from './message-transcript.ts'

/** So many are in memory with all their texts at a time. */
const BATCH_MESSAGES = 100

/** A message, a turn or a session as text; null where there is no such message or turn. `restore` brings what is not held. */
export async function writeTranscript(
  messages: readonly Message[],
  { as, message, turn }: TranscriptQuery,
  restore: (messages: readonly Message[]) => Promise<Message[]>,
): Promise<string | null> {
  const wanted = choose(messages, message, turn)
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
  turn: number | undefined,
): readonly Message[] {
  if (messageKey !== undefined) return messages.filter(({ key }) => key === messageKey)
  return turn === undefined ? messages : messagesOfTurn(messages, turn)
}

/** Turn 0 is what stands before the first prompt. */
function messagesOfTurn(messages: readonly Message[], turn: number): readonly Message[] {
  let number = 0
  return messages.filter((message) => {
    if (isPrompt(message)) number += 1
    return number === turn
  })
}
