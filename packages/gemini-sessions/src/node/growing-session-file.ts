import { type FileHandle, open } from 'node:fs/promises'
import type { Message } from '../model/message.ts'
import { LargeTexts } from '../parse/large-texts/large-texts.ts'
import type { ParsedFile } from '../parse/parsed-file.ts'
import { SessionLogReader } from '../parse/session-log-reader.ts'
import type { DiscoveredFile } from './discovered-file.ts'
import { readBytes } from './read-bytes.ts'
import { readChunks } from './read-chunks.ts'
import { readLineBytes } from './read-line-bytes.ts'
import { READ_ONLY_FLAGS } from './read-only-flags.ts'
import { readWith } from './read-session-file.ts'
import { restoreMessages } from './restore-messages.ts'

const TAIL_BYTES = 64

/** What a `GrowingSessionFile` holds. */
export interface GrowingFileOptions {
  /**
   * Large outputs, diffs and pictures are not held: `read` has short texts in their places, and `restore` puts them
   * back into the messages that are wanted.
   */
  putsTextsAside?: boolean
}

/**
 * A log that is read again and again while the CLI appends to it: only new bytes are read, as long as the file is the
 * same and what lies before them is what was read last. Files of the older format are rewritten whole, so read whole.
 */
export class GrowingSessionFile {
  #putsTextsAside: boolean
  #texts: LargeTexts | null = null
  #absolutePath = ''
  #reader: SessionLogReader | null = null
  #inode = ''
  #position = 0
  /** The last bytes read: if they stand where they stood, the file only grew. */
  #tail: Buffer = Buffer.alloc(0)
  /** Of a file that is rewritten whole: what its stat said before it was read. */
  #stamp = ''

  constructor({ putsTextsAside = false }: GrowingFileOptions = {}) {
    this.#putsTextsAside = putsTextsAside
  }

  /** What the file says now. null: it is gone. */
  async read(file: DiscoveredFile): Promise<ParsedFile | null> {
    const parsed = await this.#readNow(file)
    if (!this.#texts?.hasFlatResults) return parsed
    this.#putsTextsAside = false
    this.#reader = null
    return this.#readNow(file)
  }

  /** Messages of the last `read`, with the texts of this file that were put aside. null: the file has changed since. */
  restore(messages: readonly Message[]): Promise<Message[] | null> {
    const texts = this.#texts
    if (texts === null || texts.places.length === 0) return Promise.resolve([...messages])
    return this.#openUnchanged((handle) => restoreMessages(handle, messages, texts))
  }

  /** The bytes that hold the record of a message: its line, its row in a document, or a small document. null: as above. */
  readRecord({ line, index }: Message['source']): Promise<Uint8Array | null> {
    return this.#openUnchanged(async (handle) => {
      if (line !== undefined) return readLineBytes(handle, line)
      const range = index === undefined ? undefined : this.#texts?.documentRows[index]
      return readBytes(handle, range ?? { start: 0, end: (await handle.stat()).size })
    })
  }

  async #readNow(file: DiscoveredFile): Promise<ParsedFile | null> {
    this.#absolutePath = file.absolutePath
    if (!file.path.endsWith('.jsonl')) return this.#readWhole(file)
    try {
      const handle = await open(file.absolutePath, READ_ONLY_FLAGS)
      try {
        return await this.#readOn(handle, file)
      } finally {
        await handle.close()
      }
    } catch {
      this.#reader = null
      return this.#readWhole(file)
    }
  }

  async #readWhole(file: DiscoveredFile): Promise<ParsedFile | null> {
    this.#stamp = await stampOf(file.absolutePath)
    return readWith(file, () => this.#createReader(file))
  }

  async #readOn(handle: FileHandle, file: DiscoveredFile): Promise<ParsedFile> {
    if (this.#reader === null || file.inode !== this.#inode || !(await this.#endsAsBefore(handle))) {
      this.#reader = this.#createReader(file)
      this.#inode = file.inode
      this.#position = 0
      this.#tail = Buffer.alloc(0)
    }
    const reader = this.#reader
    const { size } = await handle.stat()
    this.#position = await readChunks(handle, this.#position, size, (bytes) => {
      reader.append(bytes)
      this.#tail = Buffer.from(Buffer.concat([this.#tail, bytes.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES))
    })
    return reader.result()
  }

  #createReader({ path }: DiscoveredFile): SessionLogReader {
    this.#texts = this.#putsTextsAside ? new LargeTexts() : null
    return new SessionLogReader(path, this.#texts)
  }

  async #openUnchanged<T>(look: (handle: FileHandle) => Promise<T | null>): Promise<T | null> {
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

  async #isUnchanged(handle: FileHandle): Promise<boolean> {
    if (this.#reader === null) return (await stampOfHandle(handle)) === this.#stamp
    const { ino } = await handle.stat({ bigint: true })
    return String(ino) === this.#inode && this.#endsAsBefore(handle)
  }

  async #endsAsBefore(handle: FileHandle): Promise<boolean> {
    const { size } = await handle.stat()
    if (size < this.#position) return false
    const bytes = Buffer.alloc(this.#tail.length)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, this.#position - bytes.length)
    return bytesRead === bytes.length && bytes.equals(this.#tail)
  }
}

async function stampOf(absolutePath: string): Promise<string> {
  try {
    const handle = await open(absolutePath, READ_ONLY_FLAGS)
    try {
      return await stampOfHandle(handle)
    } finally {
      await handle.close()
    }
  } catch {
    return ''
  }
}

async function stampOfHandle(handle: FileHandle): Promise<string> {
  const { ino, size, mtimeNs } = await handle.stat({ bigint: true })
  return `${ino} ${size} ${mtimeNs}`
}
