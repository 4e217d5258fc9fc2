import type { Message } from 'gemini-sessions'

/** So many are in memory with all their texts at a time. */
const BATCH_MESSAGES = 100

/** Hands a session's messages, in order and with all that they say, to what looks at the whole of it. */
export async function feedMessages(
  messages: readonly Message[],
  restore: (messages: readonly Message[]) => Promise<Message[]>,
  add: (messages: readonly Message[]) => void,
): Promise<void> {
  for (let start = 0; start < messages.length; start += BATCH_MESSAGES) {
    add(await restore(messages.slice(start, start + BATCH_MESSAGES)))
  }
}
