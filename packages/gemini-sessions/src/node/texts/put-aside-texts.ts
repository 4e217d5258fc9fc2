import type { Message } from '../../model/message.ts'
import type { FilePart } from './file-part.ts'
import type { SavedTexts } from './saved-texts.ts'

/** What one reading of a file left in the file. All of it is null once the file has changed otherwise than by growing. */
export interface PutAsideTexts {
  /** About how many bytes are not held. */
  readonly length: number
  /** Messages of that reading, with the texts of this file that were put aside. */
  restore(messages: readonly Message[]): Promise<Message[] | null>
  /** The bytes that hold the record of a message: its line, its row in a document, or a document. Where they are many, their place. */
  readRecord(source: Message['source']): Promise<Uint8Array | FilePart | null>
  /** For `reopenTexts` in a later run. */
  save(): SavedTexts
}
