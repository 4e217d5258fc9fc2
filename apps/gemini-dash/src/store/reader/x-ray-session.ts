import { type ContextXray, ContextXrayBuilder, type Message, type Session } from 'gemini-sessions'

/** So many are in memory with all their texts at a time. */
const BATCH_MESSAGES = 100

/** What filled each prompt of a session. `restore` brings messages with all that they say. */
export async function xRaySession(
  session: Session,
  restore: (messages: readonly Message[]) => Promise<Message[]>,
): Promise<ContextXray> {
  const builder = new ContextXrayBuilder(session)
  for (let start = 0; start < session.messages.length; start += BATCH_MESSAGES) {
    builder.add(await restore(session.messages.slice(start, start + BATCH_MESSAGES)))
  }
  return builder.finish()
}
