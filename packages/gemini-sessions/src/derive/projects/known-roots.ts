import type { HashText } from '../identity/sha256-hex.ts'
import { isSamePath, pathSpellings } from '../path-clues/path-spellings.ts'
import type { FolderEvidence } from './folder-evidence.ts'

/** Paths by their SHA-256, in every spelling: what proves the root of a folder. */
export interface KnownRoots {
  /** The path of which the CLI made this hash; null if nothing names it. */
  pathOf(hash: string): string | null
  /** Is this hash that of this folder, however it was spelled when the CLI hashed it? */
  proves(hash: string, path: string): boolean
}

/** `elsewhere`: roots that something names apart from these folders and their files. */
export function knownRoots(
  folders: readonly FolderEvidence[],
  elsewhere: readonly string[],
  hashText: HashText,
): KnownRoots {
  const named = folders.flatMap(({ marker, registryPaths, directories, clues = [] }) => [
    ...(marker === null ? [] : [marker]),
    ...registryPaths,
    ...directories,
    ...clues.map(({ path }) => path),
  ])
  const byHash = rootsByHash([...elsewhere, ...named], hashText)
  return {
    pathOf: (hash) => byHash.get(hash) ?? null,
    proves: (hash, path) => {
      const proven = byHash.get(hash)
      return proven !== undefined && isSamePath(proven, path)
    },
  }
}

export function rootsByHash(paths: readonly string[], hashText: HashText): ReadonlyMap<string, string> {
  const spelled = [...new Set(paths)].flatMap(pathSpellings)
  return new Map(spelled.map((path) => [hashText(path), path]))
}
