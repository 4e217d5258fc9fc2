import { type FileHandle, open } from 'node:fs/promises'
import type { Message } from '../model/message.ts'
import type { PlacedTexts } from '../parse/large-texts/large-texts.ts'
import type { FileMark } from './file-mark.ts'
import { fitsMark } from './fits-mark.ts'
import type { PutAsideTexts } from './put-aside-texts.ts'
import { readBytes } from './read-bytes.ts'
import { readLineBytes } from './read-line-bytes.ts'
import { READ_ONLY_FLAGS } from './read-only-flags.ts'
import { restoreMessages } from './restore-messages.ts'
import type { SavedTexts } from './saved-texts.ts'

/** Reads what was put aside from the file, as long as it is the file that was read. */
export class TextsInFile implements PutAsideTexts {
  readonly #absolutePath: string
  readonly #texts: PlacedTexts | null
  readonly #mark: FileMark

  constructor(absolutePath: string, texts: PlacedTexts | null, mark: FileMark) {
    this.#absolutePath = absolutePath
    this.#texts = texts
    this.#mark = mark
  }

  get length(): number {
    return this.#texts?.length ?? 0
  }

  restore(messages: readonly Message[]): Promise<Message[] | null> {
    const texts = this.#texts
    if (texts === null || texts.places.length === 0) return Promise.resolve([...messages])
    return this.#open((handle) => restoreMessages(handle, messages, texts))
  }

  readRecord({ line, index }: Message['source']): Promise<Uint8Array | null> {
    return this.#open(async (handle) => {
      if (line !== undefined) return readLineBytes(handle, line)
      const range = index === undefined ? undefined : this.#texts?.documentRows[index]
      return readBytes(handle, range ?? { start: 0, end: (await handle.stat()).size })
    })
  }

  save(): SavedTexts {
    return { absolutePath: this.#absolutePath, texts: this.#texts && placesOf(this.#texts), mark: this.#mark }
  }

  async #open<T>(look: (handle: FileHandle) => Promise<T | null>): Promise<T | null> {
    try {
      const handle = await open(this.#absolutePath, READ_ONLY_FLAGS)
      try {
        return (await fitsMark(handle, this.#mark)) ? await look(handle) : null
      } finally {
        await handle.close()
      }
    } catch {
      return null
    }
  }
}

/** Without what only the reading itself needs. */
function placesOf({ owner, places, length, documentRows }: PlacedTexts): PlacedTexts {
  return { owner, places, length, documentRows }
}
