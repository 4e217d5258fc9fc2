import { savedChatSession } from '../derive/saved-chat-session.ts'
import { separateKeys } from '../derive/separate-keys.ts'
import type { Session } from '../model/session.ts'
import type { ProjectPlace } from './project-place.ts'
import { readSmallFile } from './read-small-file.ts'

const MAX_CHAT_BYTES = 128 * 1024 * 1024

/** The chats that the user saved by tag in one project (all its folders, in every home). */
export function readSavedChats(places: readonly ProjectPlace[], projectKey: string): Session[] {
  const files = places.flatMap((place) => place.checkpoints)
  const chats = files.flatMap(({ home, path, absolutePath, sizeBytes, mtimeMs }) => {
    const text = readSmallFile(absolutePath, MAX_CHAT_BYTES)
    const modifiedTime = new Date(mtimeMs).toISOString()
    return text === null
      ? []
      : (savedChatSession({ home, path, sizeBytes, modifiedTime, projectKey, text }) ?? [])
  })
  return separateKeys(chats)
}
