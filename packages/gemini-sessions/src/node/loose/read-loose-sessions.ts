import type { Session } from '../../model/session.ts'
import { ReadFault } from '../files/read-fault.ts'
import type { ProjectPlace } from '../scan/scan.ts'
import { readPromptLogs } from './read-prompt-logs.ts'
import { readSavedChats } from './read-saved-chats.ts'

/** Files of one project that are no session files, and hold sessions of their own all the same. */
export type LooseFiles =
  | {
      kind: 'prompt-logs'
      places: ProjectPlace[]
      projectKey: string
      /** sessionIds that session files of the project hold: what was typed in those is no session of its own. */
      knownIds: string[]
    }
  | { kind: 'saved-chats'; places: ProjectPlace[]; projectKey: string }

/**
 * The prompts-only sessions of a project's logs, or the chats that were saved in it. Reads synchronously.
 *
 * @throws ReadFault where the system refuses to read a log: nothing else could tell that prompts are missing
 */
export function readLooseSessions(loose: LooseFiles): Session[] {
  return loose.kind === 'prompt-logs'
    ? readPromptLogs(loose.places, loose.projectKey, new Set(loose.knownIds), (path, code) => {
        throw new ReadFault(path, code)
      })
    : readSavedChats(loose.places, loose.projectKey)
}
