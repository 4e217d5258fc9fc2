import { copyBytes, joinBytes } from '../json/bytes.ts'
import { detectEncoding, ENCODING_BYTES, Utf16Reader } from '../json/file-encoding.ts'
import type { LargeTexts } from '../large-texts/large-texts.ts'
import type { LiftedEntries } from '../lift/lifted-entries.ts'
import type { ParsedFile } from '../log/parsed-file.ts'
import { SessionTextReader } from './session-text-reader.ts'

/**
 * Reads one session file as it grows. `append` takes raw bytes cut anywhere; `result` at any time equals
 * `parseSessionFile` of all bytes so far. Neither throws. Holds what was recorded, and of the bytes only a line that
 * is not complete yet.
 */
export class SessionLogReader {
  readonly #path: string
  readonly #texts: LargeTexts | null
  readonly #lifted: LiftedEntries | null
  /** The first bytes, too few to tell how the file is encoded. */
  #opening: Uint8Array = new Uint8Array(0)
  #sizeBytes = 0
  #reader: SessionTextReader | null = null
  #utf16: Utf16Reader | null = null

  /**
   * @param texts takes what is large out of whole records; without it, and of UTF-16, everything is held
   * @param lifted makes every `result` but the first cheap
   */
  constructor(path: string, texts: LargeTexts | null = null, lifted: LiftedEntries | null = null) {
    this.#path = path
    this.#texts = texts
    this.#lifted = lifted
  }

  append(bytes: Uint8Array): void {
    this.#sizeBytes += bytes.length
    const piece = this.#reader === null ? joinBytes([this.#opening, bytes]) : bytes
    if (this.#reader === null && piece.length < ENCODING_BYTES) this.#opening = copyBytes(piece)
    else {
      this.#reader ??= this.#open(piece)
      this.#reader.append(this.#utf16 ? this.#utf16.toUtf8(piece) : piece)
    }
  }

  result(): ParsedFile {
    const parsed = (this.#reader ?? this.#readOpening()).result(this.#sizeBytes)
    if (this.#utf16 === null || parsed.messages.length === 0) return parsed
    return { ...parsed, issues: [{ code: 'utf-16', at: '', args: {} }, ...parsed.issues] }
  }

  #open(start: Uint8Array): SessionTextReader {
    const encoding = detectEncoding(start)
    this.#utf16 = encoding === 'utf-8' ? null : new Utf16Reader(encoding)
    // offsets in UTF-8 do not say where a text is in a file of UTF-16
    return new SessionTextReader(this.#path, this.#utf16 ? null : this.#texts, this.#lifted)
  }

  /** All of a file that is so small. More may follow, so nothing is remembered. */
  #readOpening(): SessionTextReader {
    const reader = new SessionTextReader(this.#path)
    reader.append(this.#opening)
    return reader
  }
}
