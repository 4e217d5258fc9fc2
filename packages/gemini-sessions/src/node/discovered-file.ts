/** A file of sessions or prompts as the scan found it. Equal size, mtime and inode: not changed since. */
export interface DiscoveredFile {
  /** Absolute path of its home, `/` on every system. */
  home: string
  /** Relative to that home. */
  path: string
  absolutePath: string
  /** Absolute path of its project's folder under `tmp/`. */
  projectFolder: string
  sizeBytes: number
  mtimeMs: number
  /** Nanoseconds since the epoch, as decimal text: more than a number can hold. */
  mtimeNs: string
  inode: string
}
