import type { PutAsideTexts } from './put-aside-texts.ts'
import type { SavedTexts } from './saved-texts.ts'
import { TextsInFile } from './texts-in-file.ts'

/** What an earlier reading left in a file, for the messages of that reading; `saved` is what it said of itself. */
export function reopenTexts({ absolutePath, texts, mark }: SavedTexts): PutAsideTexts {
  return new TextsInFile(absolutePath, texts, mark)
}
