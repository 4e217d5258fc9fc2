import { type FileHandle, open } from 'node:fs/promises'
import type { ParsedFile } from '../parse/parsed-file.ts'
import { SessionLogReader } from '../parse/session-log-reader.ts'
import type { DiscoveredFile } from './discovered-file.ts'
import { readChunks } from './read-chunks.ts'
import { READ_ONLY_FLAGS } from './read-only-flags.ts'
import { readSessionFile } from './read-session-file.ts'

const TAIL_BYTES = 64

/**
 * A log that is read again and again while the CLI appends to it: only new bytes are read, as long as the file is the
 * same and what lies before them is what was read last. Files of the older format are rewritten whole, so read whole.
 */
export class GrowingSessionFile {
  #reader: SessionLogReader | null = null
  #inode = ''
  #position = 0
  /** The last bytes read: if they stand where they stood, the file only grew. */
  #tail: Buffer = Buffer.alloc(0)

  /** What the file says now. null: it is gone. */
  async read(file: DiscoveredFile): Promise<ParsedFile | null> {
    if (!file.path.endsWith('.jsonl')) return readSessionFile(file)
    try {
      const handle = await open(file.absolutePath, READ_ONLY_FLAGS)
      try {
        return await this.#readOn(handle, file)
      } finally {
        await handle.close()
      }
    } catch {
      this.#reader = null
      return readSessionFile(file)
    }
  }

  async #readOn(handle: FileHandle, file: DiscoveredFile): Promise<ParsedFile> {
    if (this.#reader === null || file.inode !== this.#inode || !(await this.#endsAsBefore(handle))) {
      this.#reader = new SessionLogReader(file.path)
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

  async #endsAsBefore(handle: FileHandle): Promise<boolean> {
    const { size } = await handle.stat()
    if (size < this.#position) return false
    const bytes = Buffer.alloc(this.#tail.length)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, this.#position - bytes.length)
    return bytesRead === bytes.length && bytes.equals(this.#tail)
  }
}
