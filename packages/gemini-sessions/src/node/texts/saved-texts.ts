import type { PlacedTexts } from '../../parse/large-texts/large-texts.ts'

/** By what a file is known again. Plain JSON. */
export type FileMark = LogEnd | { stamp: string }

/** How far a log was read, and how it ended there. */
export interface LogEnd {
  inode: string
  position: number
  /** The last bytes read, as base64: if they stand where they stood, the file only grew. */
  tail: string
}

/** Where one reading of a file left its large texts, as plain JSON: kept beside its messages, it outlives the run. */
export interface SavedTexts {
  absolutePath: string
  /** null: all of the file was held. */
  texts: PlacedTexts | null
  mark: FileMark
}
