import { placeKey, placeOfFile } from '../derive/identity.ts'
import {
  damagedLogSession,
  promptLogSessions,
  type ReadPromptLog,
  readPromptLog,
} from '../derive/read-prompt-log.ts'
import { type SavedChat, savedChatSession } from '../derive/saved-chat-session.ts'
import type { Session } from '../model/message.ts'
import { ReadFault, readFoundFile } from './files.ts'
import type { DiscoveredFile, ProjectPlace } from './scan/scan.ts'

/** Files of one project that are not session files, but contain sessions. */
export type LooseFiles =
  | {
      kind: 'prompt-logs'
      places: ProjectPlace[]
      projectKey: string
      /** sessionIds of the project's session files: prompts typed in those are not separate sessions. */
      knownIds: string[]
    }
  | { kind: 'saved-chats'; places: ProjectPlace[]; projectKey: string }

/**
 * The prompts-only sessions of a project's logs, or its saved chats. Reads synchronously.
 *
 * @throws ReadFault if a log cannot be read: nothing else would show that prompts are missing
 */
export function readLooseSessions(loose: LooseFiles): Session[] {
  return loose.kind === 'prompt-logs'
    ? readPromptLogs(loose.places, loose.projectKey, new Set(loose.knownIds), (path, code) => {
        throw new ReadFault(path, code)
      })
    : readSavedChats(loose.places, loose.projectKey)
}

/** The largest one seen had 1,249 prompts in 656 kB. */
export const MAX_LOG_BYTES = 64 * 1024 * 1024

/** The CLI rewrites the whole file at each prompt; a reader can find it half-written. */
const RETRY_DELAY_MS = 50
const FRESH_MS = 10_000

/**
 * The prompts-only sessions of one project (all its folders, in every Gemini folder), and a row for each log with deviations. `knownIds`:
 * the sessionIds of the project's session files. `onFault`: called with each log that cannot be read at the moment, and the error code.
 */
export function readPromptLogs(
  places: readonly ProjectPlace[],
  projectKey: string,
  knownIds: ReadonlySet<string>,
  onFault: (path: string, code: string) => void = () => {},
): Session[] {
  const logs = promptLogsOf(places).flatMap((file) => {
    const log = readSettled(file, onFault)
    return log === null ? [] : [{ file, log }]
  })
  const current = new Set(places.map((place) => place.logs))
  return [
    ...promptLogSessions(
      logs.map(({ log }) => log),
      projectKey,
      knownIds,
    ),
    ...damagedRows(
      logs.filter(({ file }) => current.has(file)),
      projectKey,
    ),
  ]
}

/** Current contents come first. */
export function promptLogsOf(places: readonly ProjectPlace[]): DiscoveredFile[] {
  return [
    ...places.flatMap(({ logs }) => logs ?? []),
    ...places.flatMap(({ earlierLogs }) => earlierLogs ?? []),
  ]
}

function readSettled(
  file: DiscoveredFile,
  onFault: (path: string, code: string) => void,
): ReadPromptLog | null {
  const log = readOnce(file, onFault)
  if (log === null || log.issue === null || Math.abs(Date.now() - file.mtimeMs) > FRESH_MS) return log
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_DELAY_MS)
  return readOnce(file, onFault)
}

function readOnce(
  { path, absolutePath }: DiscoveredFile,
  onFault: (path: string, code: string) => void,
): ReadPromptLog | null {
  const text = readFoundFile(absolutePath, MAX_LOG_BYTES, (code) => onFault(path, code))
  return text === null ? null : readPromptLog({ path, text })
}

/** One per path: the same project can be in several Gemini folders. */
function damagedRows(
  logs: readonly { file: DiscoveredFile; log: ReadPromptLog }[],
  projectKey: string,
): Session[] {
  const damaged = logs.flatMap(({ file, log: { path, issue } }) =>
    issue === null ? [] : [{ file, path, issue, projectKey }],
  )
  const paths = [...new Set(damaged.map(({ path }) => path))]
  return paths.flatMap((path) => {
    const [first, ...others] = damaged.filter((each) => each.path === path)
    return first === undefined
      ? []
      : damagedLogSession(
          first,
          [first, ...others].map(({ file: { home, sizeBytes, kept } }) => ({
            home,
            path,
            sizeBytes,
            format: 'json',
            role: 'damaged',
            ...(kept && { kept }),
          })),
        )
  })
}

const MAX_CHAT_BYTES = 128 * 1024 * 1024

/** The chats saved by tag in one project (all its folders, in every Gemini folder). */
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

/** Two Gemini folders can have different chats with the same path. */
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
