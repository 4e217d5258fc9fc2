/** What is known of one folder under `tmp/`. */
export interface FolderEvidence {
  /** Absolute path. */
  folder: string
  /** A SHA-256 (up to 0.28) or a slug. */
  name: string
  marker: string | null
  registryPath: string | null
  /** `projectHash` of each of its files read so far. */
  fileHashes: readonly string[]
  /** Paths named in its files. */
  directories: readonly string[]
}
