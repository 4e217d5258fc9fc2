/** A file of sessions or prompts as the scan found it. Equal size, times and inode: not changed since. */
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
  /** As `mtimeNs`, of the last change of content, name or rights; nobody can set it back. */
  ctimeNs: string
  inode: string
}
