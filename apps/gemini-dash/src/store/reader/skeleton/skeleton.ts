import { createHash } from 'node:crypto'
import type { IndexGroup } from '@gemini-dash/session-index'
import type { Session } from 'gemini-sessions'
import { reopenTexts } from 'gemini-sessions/node'
import { type SavedFile, ShelvedSessions } from './shelved-sessions.ts'

/** So many take long to be made from their records, however small these are. */
export const MANY_MESSAGES = 4_000

/** What is held of an opened group: its sessions without their large texts, and where in the files those are. */
export interface Skeleton {
  sessions: readonly Session[]
  files: SavedFile[]
}

export function toSkeleton(shelved: ShelvedSessions): Skeleton {
  return { sessions: shelved.sessions, files: shelved.saveFiles() }
}

export function openSkeleton({ sessions, files }: Skeleton): ShelvedSessions {
  return new ShelvedSessions(
    sessions,
    files.map(({ path, texts }) => ({ path, texts: reopenTexts(texts) })),
  )
}

/** One file a group. */
export function skeletonName(groupId: string): string {
  return openedName(groupId, 'skeleton')
}

/** A file that was made of a group. */
export function openedName(groupId: string, rest: string): string {
  return `${groupNameOf(groupId)}.${rest}`
}

/** What the names of all files begin with that were made of a group. */
export function groupNameOf(groupId: string): string {
  return createHash('sha256').update(groupId).digest('hex').slice(0, 32)
}

/**
 * Everything that the messages were made of is as it was: the files, their places, and what the reader makes of them.
 * Prices count too, as wherever something is kept of a group.
 */
export function skeletonStamp({ files, fingerprint }: IndexGroup, format: string): string {
  return JSON.stringify([format, fingerprint, ...files.map(({ home, path }) => [home, path])])
}
