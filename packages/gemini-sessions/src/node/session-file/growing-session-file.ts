import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { LargeTexts } from '../../parse/large-texts/large-texts.ts'
import { LiftedEntries } from '../../parse/lift/lifted-entries.ts'
import type { ParsedFile } from '../../parse/log/parsed-file.ts'
import { SessionLogReader } from '../../parse/session-file/session-log-reader.ts'
import { readChunks } from '../files/read-chunks.ts'
import { READ_ONLY_FLAGS } from '../files/read-only-flags.ts'
import type { GiveWay } from '../files/time-slice.ts'
import type { DiscoveredFile } from '../scan/scan.ts'
import { endsAsBefore, writeStamp } from '../texts/file-mark.ts'
import type { PutAsideTexts } from '../texts/put-aside-texts.ts'
import type { LogEnd } from '../texts/saved-texts.ts'
import { TextsInFile } from '../texts/texts-in-file.ts'
import { readWith } from './read-session-file.ts'

const TAIL_BYTES = 64

/** What a `GrowingSessionFile` holds. */
export interface GrowingFileOptions {
  /**
   * Large outputs, diffs and pictures are not held: messages have short texts in their places, until `putAside` puts
   * them back into those that are wanted.
   */
  putsTextsAside?: boolean
  /** Awaited every few milliseconds of a reading, so that others have their turn; by default one turn of the event loop. */
  giveWay?: GiveWay
}

/**
 * A log that is read again and again while the CLI appends to it: only new bytes are parsed, as long as the file is the
 * same and what lies before them is what was read last. Files of the older format are rewritten whole, so read whole.
 */
export class GrowingSessionFile {
  #putsTextsAside: boolean
  readonly #giveWay: GiveWay | undefined
  #texts: LargeTexts | null = null
  #putAside = new TextsInFile('', null, { stamp: '' })
  #reader: SessionLogReader | null = null
  #end: LogEnd = { inode: '', position: 0, tail: '' }
  /** Of everything before that end. */
  #checksum = 0

  constructor({ putsTextsAside = false, giveWay }: GrowingFileOptions = {}) {
    this.#putsTextsAside = putsTextsAside
    this.#giveWay = giveWay
  }

  /** What the last `read` left in the file. */
  get putAside(): PutAsideTexts {
    return this.#putAside
  }

  /** What the file says now. null: it is gone. */
  async read(file: DiscoveredFile): Promise<ParsedFile | null> {
    const parsed = await this.#readNow(file)
    if (!this.#texts?.hasFlatResults) return parsed
    this.#putsTextsAside = false
    this.#reader = null
    return this.#readNow(file)
  }

  async #readNow(file: DiscoveredFile): Promise<ParsedFile | null> {
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
    const stamp = await stampOfFile(file)
    const parsed = await readWith(file, () => this.#createReader(file), this.#giveWay)
    this.#putAside = new TextsInFile(file.absolutePath, this.#texts, { stamp })
    return parsed
  }

  async #readOn(handle: FileHandle, file: DiscoveredFile): Promise<ParsedFile> {
    // of what is open, not of what was found: the CLI may have put another file in its place since
    const stats = await handle.stat({ bigint: true })
    const inode = String(stats.ino)
    if (this.#reader === null || inode !== this.#end.inode || !(await this.#isAsBefore(handle))) {
      this.#reader = this.#createReader(file)
      this.#end = { inode, position: 0, tail: '' }
      this.#checksum = 0
    }
    const reader = this.#reader
    let position = this.#end.position
    let tail = Buffer.from(this.#end.tail, 'base64')
    const take = (bytes: Buffer): void => {
      reader.append(bytes)
      this.#checksum = crc32(bytes, this.#checksum)
      tail = Buffer.from(Buffer.concat([tail, bytes.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES))
    }
    position = await readChunks(handle.fd, position, Number(stats.size), take, this.#giveWay)
    this.#end = { inode, position, tail: tail.toString('base64') }
    this.#putAside = new TextsInFile(file.absolutePath, this.#texts, this.#end)
    return reader.result()
  }

  /** All of it: somebody may have written into the middle. Summing up takes a fiftieth of the time that reading does. */
  async #isAsBefore(handle: FileHandle): Promise<boolean> {
    if (!(await endsAsBefore(handle, this.#end))) return false
    let checksum = 0
    await readChunks(handle.fd, 0, this.#end.position, (bytes) => {
      checksum = crc32(bytes, checksum)
    })
    return checksum === this.#checksum
  }

  #createReader({ path }: DiscoveredFile): SessionLogReader {
    this.#texts = this.#putsTextsAside ? new LargeTexts() : null
    return new SessionLogReader(path, this.#texts, new LiftedEntries())
  }
}

async function stampOfFile({ absolutePath }: DiscoveredFile): Promise<string> {
  try {
    const handle = await open(absolutePath, READ_ONLY_FLAGS)
    try {
      return await writeStamp(handle)
    } finally {
      await handle.close()
    }
  } catch {
    return ''
  }
}
