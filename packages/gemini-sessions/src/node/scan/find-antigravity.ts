import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What Antigravity keeps in a home: conversations in a format of its own, which nothing here reads. */
export interface AntigravityTrace {
  /** Names of the folders in the home. */
  folders: string[]
  /** Conversations in all of them, each once. */
  conversations: number
}

/** Its command line, desktop program, editor and editor server, and the copy that an upgrade leaves. */
export const ANTIGRAVITY_FOLDERS = [
  'antigravity-cli',
  'antigravity',
  'antigravity-ide',
  'antigravity-acp',
  'antigravity-backup',
]

/** Looks at names only. null: it has left nothing there. */
export function findAntigravity(home: string): AntigravityTrace | null {
  const ids = new Set<string>()
  const folders = ANTIGRAVITY_FOLDERS.filter((name) => {
    const found = conversationsIn(join(home, name))
    for (const id of found ?? []) ids.add(id)
    return found !== null
  })
  return folders.length === 0 ? null : { folders, conversations: ids.size }
}

/** A conversation is one file, one folder beside it, or both. null: the folder holds neither kind. */
function conversationsIn(folder: string): string[] | null {
  const files = namesIn(join(folder, 'conversations'))
  const notes = namesIn(join(folder, 'brain'))
  if (files === null && notes === null) return null
  const ofFiles = (files ?? []).flatMap((name) => /^([^.]+)\.(?:db|pb)$/.exec(name)?.[1] ?? [])
  return [...ofFiles, ...(notes ?? []).filter((name) => ID.test(name))]
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function namesIn(folder: string): string[] | null {
  try {
    return readdirSync(folder)
  } catch {
    return null
  }
}
