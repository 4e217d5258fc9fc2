import type { FileHistoryEntry } from '@gemini-dash/api'
import { findFileCalls, foldPath, isPrompt, type Message, messageText } from 'gemini-sessions'
import { cutForWire } from '../../messages/cut-for-wire.ts'
import type { SessionPlace } from '../place/session-place.ts'

const MAX_PROMPT_LENGTH = 300

/** A message whose calls touched a file. */
export type TouchingMessage = Omit<FileHistoryEntry, 'session'>

/** Of the messages with these keys, those whose calls touched a file: with the calls, and the prompt that led to them. */
export async function touchingMessages(
  messages: readonly Message[],
  { messageKeys, path, shownKey, root, isAgent }: SessionPlace & { path: string; messageKeys: string[] },
  restore: (messages: readonly Message[]) => Promise<Message[]>,
): Promise<TouchingMessage[]> {
  const wantedKeys = new Set(messageKeys)
  const wantedPath = foldPath(path)
  const offsets = new Map(messages.map(({ key }, offset) => [key, offset]))
  const whole = await restore(messages.filter(({ key }) => wantedKeys.has(key)))
  return whole.flatMap((message): TouchingMessage[] => {
    const offset = offsets.get(message.key) ?? 0
    const place = { sessionKey: shownKey, offset, root, isAgent }
    const touches = findFileCalls(cutForWire(message, shownKey), place)
    const calls = touches.filter((touch) => foldPath(touch.path) === wantedPath).map(({ call }) => call)
    if (calls.length === 0) return []
    const prompt = messages.slice(0, offset).findLast(isPrompt)
    return [
      {
        messageKey: message.key,
        timestamp: message.timestamp,
        prompt:
          prompt === undefined
            ? null
            : { messageKey: prompt.key, text: messageText(prompt).slice(0, MAX_PROMPT_LENGTH) },
        calls,
      },
    ]
  })
}
