import type { PathClue } from '../path-clues/path-clue.ts'

/** What is known of one folder under `tmp/`. */
export interface FolderEvidence {
  /** Absolute path. */
  folder: string
  /** A SHA-256 (up to 0.28) or a slug. */
  name: string
  marker: string | null
  /** All that the registry has under this name: one, unless somebody edited it. */
  registryPaths: readonly string[]
  /** `projectHash` of each of its files read so far. */
  fileHashes: readonly string[]
  /** Paths in the `directories` of its files. */
  directories: readonly string[]
  /** What else its files, or a look around, name as its root. */
  clues?: readonly PathClue[]
}
