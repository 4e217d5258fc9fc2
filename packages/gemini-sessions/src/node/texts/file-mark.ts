/** By what a file is known again. Plain JSON. */
export type FileMark = LogEnd | { stamp: string }

/** How far a log was read, and how it ended there. */
export interface LogEnd {
  inode: string
  position: number
  /** The last bytes read, as base64: if they stand where they stood, the file only grew. */
  tail: string
}
