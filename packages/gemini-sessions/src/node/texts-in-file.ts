import { type FileHandle, open } from 'node:fs/promises'
import type { Message } from '../model/message.ts'
import type { LargeTexts } from '../parse/large-texts/large-texts.ts'
import type { PutAsideTexts } from './put-aside-texts.ts'
import { readBytes } from './read-bytes.ts'
import { readLineBytes } from './read-line-bytes.ts'
import { READ_ONLY_FLAGS } from './read-only-flags.ts'
import { restoreMessages } from './restore-messages.ts'

/** Reads what was put aside from the file, as long as it is the file that was read. */
export class TextsInFile implements PutAsideTexts {
  readonly #absolutePath: string
  readonly #texts: LargeTexts | null
  readonly #isUnchanged: (handle: FileHandle) => Promise<boolean>

  constructor(
    absolutePath: string,
    texts: LargeTexts | null,
    isUnchanged: (handle: FileHandle) => Promise<boolean>,
  ) {
    this.#absolutePath = absolutePath
    this.#texts = texts
    this.#isUnchanged = isUnchanged
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

  async #open<T>(look: (handle: FileHandle) => Promise<T | null>): Promise<T | null> {
    try {
      const handle = await open(this.#absolutePath, READ_ONLY_FLAGS)
      try {
        return (await this.#isUnchanged(handle)) ? await look(handle) : null
      } finally {
        await handle.close()
      }
    } catch {
      return null
    }
  }
}
