import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { ProjectIdentity } from 'gemini-sessions/node'

const MAX_GUESSES = 5

export interface FolderMatcher {
  found: Map<string, string>
  guesses: Map<string, string[]>
  look(path: string): 'go on' | 'enough'
}

/** Compares folders with what is wanted: by hash, which proves, and by the slug that 0.29+ makes of a folder's name. */
export function folderMatcher(projects: readonly ProjectIdentity[]): FolderMatcher {
  const keyOfHash = new Map(projects.flatMap(({ key, hashes }) => hashes.map((hash) => [hash, key] as const)))
  const keyOfSlug = new Map(
    projects.flatMap(({ key, folders }) => folders.map((f) => [slugOf(f), key] as const)),
  )
  const provable = new Set(keyOfHash.values())
  const found = new Map<string, string>()
  const guesses = new Map<string, string[]>()

  function look(path: string): 'go on' | 'enough' {
    const proven = spellings(path).find((spelling) => keyOfHash.has(sha256(spelling)))
    const key = proven === undefined ? undefined : keyOfHash.get(sha256(proven))
    if (proven !== undefined && key !== undefined) {
      found.set(key, proven)
      guesses.delete(key)
    } else guess(path)
    return provable.size === projects.length && found.size === projects.length ? 'enough' : 'go on'
  }

  function guess(path: string): void {
    const key = keyOfSlug.get(toSlug(basename(path)))
    if (key === undefined || found.has(key)) return
    const others = guesses.get(key) ?? []
    if (others.length < MAX_GUESSES) guesses.set(key, [...others, path])
  }

  return { found, guesses, look }
}

/** `shop-2` is the third project called `shop`; a hash is no slug, and no folder is called so. */
function slugOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1).replace(/-\d+$/, '')
}

/** As the CLI makes it (0.29+). */
function toSlug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
}

/** On Windows the drive comes as the shell had it. */
function spellings(path: string): string[] {
  if (!/^[A-Za-z]:/.test(path)) return [path]
  return [path.charAt(0).toUpperCase() + path.slice(1), path.charAt(0).toLowerCase() + path.slice(1)]
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
