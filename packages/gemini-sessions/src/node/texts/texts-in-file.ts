import { type FileHandle, open } from 'node:fs/promises'
import type { Message } from '../../model/message.ts'
import type { ByteRange } from '../../parse/json/bytes.ts'
import type { PlacedTexts } from '../../parse/large-texts/large-texts.ts'
import { readBytes } from '../files/read-bytes.ts'
import { readChunks } from '../files/read-chunks.ts'
import { READ_ONLY_FLAGS } from '../files/read-only-flags.ts'
import { fitsMark } from './file-mark.ts'
import type { FilePart } from './file-part.ts'
import type { PutAsideTexts } from './put-aside-texts.ts'
import { restoreMessages } from './restore-messages.ts'
import type { FileMark, SavedTexts } from './saved-texts.ts'

const NEWLINE = 10

/** Larger records are not held: a line may be as large as its file. */
const MOST_HELD_BYTES = 16 * 1024 * 1024

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

  readRecord({ line, index }: Message['source']): Promise<Uint8Array | FilePart | null> {
    return this.#open(async (handle) => {
      const row = index === undefined ? undefined : this.#texts?.documentRows[index]
      const range =
        line === undefined
          ? (row ?? { start: 0, end: (await handle.stat()).size })
          : await findLine(handle, line)
      if (range === null) return null
      const isSmall = range.end - range.start <= MOST_HELD_BYTES
      return isSmall ? readBytes(handle, range) : { absolutePath: this.#absolutePath, ...range }
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

/** Where a line of a file stands, 1-based, without its end. null: the file has fewer. */
async function findLine(handle: FileHandle, line: number): Promise<ByteRange | null> {
  const { size } = await handle.stat()
  let number = 1
  let start = line === 1 ? 0 : -1
  let end = -1
  let position = 0
  await readChunks(handle.fd, 0, size, (bytes) => {
    for (let at = bytes.indexOf(NEWLINE); at !== -1 && end === -1; at = bytes.indexOf(NEWLINE, at + 1)) {
      if (number === line) end = position + at
      number += 1
      if (number === line) start = position + at + 1
    }
    position += bytes.length
  })
  return start === -1 ? null : { start, end: end === -1 ? size : end }
}
