import type { PlacedTexts } from '../../parse/large-texts/large-texts.ts'
import type { FileMark } from './file-mark.ts'

/** Where one reading of a file left its large texts, as plain JSON: kept beside its messages, it outlives the run. */
export interface SavedTexts {
  absolutePath: string
  /** null: all of the file was held. */
  texts: PlacedTexts | null
  mark: FileMark
}
