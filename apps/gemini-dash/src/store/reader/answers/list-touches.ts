import { findFileCalls, type Message, TouchedFileList } from 'gemini-sessions'
import { cutForWire } from '../../messages/cut-for-wire.ts'
import type { SessionPlace } from '../place/session-place.ts'

/** So many are in memory with all their texts at a time. */
const BATCH_MESSAGES = 100

/** What the calls of a session did to files. `restore` brings messages with all that they say; only edits need it. */
export async function listTouches(
  messages: readonly Message[],
  { shownKey, root, isAgent }: SessionPlace,
  restore: (messages: readonly Message[]) => Promise<Message[]>,
  wantedPath: string | null = null,
): Promise<TouchedFileList> {
  const list = new TouchedFileList(root, wantedPath)
  const calling = messages.flatMap((message, offset) =>
    message.toolCalls.length > 0 ? [{ message, offset }] : [],
  )
  for (let start = 0; start < calling.length; start += BATCH_MESSAGES) {
    const batch = calling.slice(start, start + BATCH_MESSAGES)
    const whole = await restoreEdits(
      batch.map(({ message }) => message),
      restore,
    )
    for (const [index, { offset }] of batch.entries()) {
      const message = whole[index]
      if (message === undefined) continue
      const place = { sessionKey: shownKey, offset, root, isAgent }
      const shown = findFileCalls(cutForWire(message, shownKey), place)
      for (const [at, touch] of findFileCalls(message, place).entries()) {
        list.add({ ...touch, call: shown[at]?.call ?? touch.call })
      }
    }
  }
  return list
}

async function restoreEdits(
  messages: readonly Message[],
  restore: (messages: readonly Message[]) => Promise<Message[]>,
): Promise<Message[]> {
  const edits = messages.filter(isEdit)
  const restored = new Map((await restore(edits)).map((message) => [message.key, message]))
  return messages.map((message) => restored.get(message.key) ?? message)
}

/** Also of a call whose diff is made of its arguments, which may be as long. */
function isEdit({ toolCalls }: Message): boolean {
  return toolCalls.some(({ display, output }) => display?.kind === 'diff' || output.kind === 'diff')
}
