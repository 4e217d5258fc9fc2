import { placeOfFile } from '../../derive/identity/assign-keys.ts'
import { placeKey } from '../../derive/identity/keys.ts'
import { type SavedChat, savedChatSession } from '../../derive/loose/saved-chat-session.ts'
import type { Session } from '../../model/session.ts'
import { readFoundFile } from '../files/read-bytes.ts'
import type { ProjectPlace } from '../scan/scan.ts'

const MAX_CHAT_BYTES = 128 * 1024 * 1024

/** The chats that the user saved by tag in one project (all its folders, in every home). */
export function readSavedChats(places: readonly ProjectPlace[], projectKey: string): Session[] {
  const chats = places
    .flatMap((place) => place.checkpoints)
    .map(({ home, path, absolutePath, sizeBytes, kept }): SavedChat => {
      let errno: string | null = null
      const text = readFoundFile(absolutePath, MAX_CHAT_BYTES, (code) => {
        errno = code
      })
      return { home, path, sizeBytes, projectKey, text, errno, kept }
    })
  return withOwnKeys(withoutCopies(chats).map(([chat, ...copies]) => savedChatSession(chat, copies)))
}

/** Two homes can hold different chats by the same path. */
function withOwnKeys(sessions: readonly Session[]): Session[] {
  const keys = new Set<string>()
  const own = sessions.map((session) => {
    const [file] = session.files
    const isTaken = keys.has(session.key) && file !== undefined
    const key = isTaken ? placeKey(session.key, placeOfFile(file)) : session.key
    keys.add(key)
    return { ...session, key }
  })
  const isAnothers = (each: string, key: string) => each !== key && keys.has(each)
  return own.map((session) => {
    const others = session.ownKeys.filter((each) => !isAnothers(each, session.key))
    return { ...session, ownKeys: [...new Set([session.key, ...others])].sort() }
  })
}

/** The migration of 0.29 copies a project's folder and leaves the old one. */
function withoutCopies(chats: readonly SavedChat[]): [SavedChat, ...SavedChat[]][] {
  const sets = new Map<string, [SavedChat, ...SavedChat[]]>()
  const byPath = [...chats].sort((a, b) => (`${a.home}\n${a.path}` < `${b.home}\n${b.path}` ? -1 : 1))
  for (const chat of byPath) {
    const name = chat.path.slice(chat.path.lastIndexOf('/') + 1)
    const likeness = chat.text === null ? `${name}\n${chat.home}\n${chat.path}` : `${name}\n\n${chat.text}`
    const set = sets.get(likeness)
    if (set) set.push(chat)
    else sets.set(likeness, [chat])
  }
  return [...sets.values()]
}
