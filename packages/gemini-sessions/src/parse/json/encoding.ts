import { copyBytes, decodeText, joinBytes } from './bytes.ts'

/** Character encoding of a file. Gemini CLI writes UTF-8; PowerShell 5 writes UTF-16 when redirecting output. */
export type FileEncoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** Enough bytes of a file to detect its encoding. */
export const ENCODING_BYTES = 4

/**
 * The encoding of a text that begins with these bytes: from its byte order mark or, without one, from the zeros between ASCII characters.
 */
export function detectEncoding(start: Uint8Array): FileEncoding {
  const [first = 0, second = 0, third = 0, fourth = 0] = start
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (isAscii(first) && second === 0 && isAscii(third) && fourth === 0) return 'utf-16le'
  if (first === 0 && isAscii(second) && third === 0 && isAscii(fourth)) return 'utf-16be'
  return 'utf-8'
}

/** The beginning of JSON; a run of zeros is left by a power failure. */
function isAscii(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d)
}

/** The text of a whole file, or of its beginning, without a byte order mark. */
export function decodeFile(bytes: Uint8Array, encoding = detectEncoding(bytes)): string {
  const text = decodeText(encoding === 'utf-8' ? bytes : new Utf16Reader(encoding).toUtf8(bytes))
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

const encoder = new TextEncoder()

/** Converts UTF-16 that arrives in pieces, cut anywhere, to UTF-8. */
export class Utf16Reader {
  readonly #isBigEndian: boolean
  readonly #decoder = new TextDecoder('utf-16le')
  /** The first half of a character whose second half has not arrived. */
  #half: Uint8Array = new Uint8Array(0)

  constructor(encoding: Exclude<FileEncoding, 'utf-8'>) {
    this.#isBigEndian = encoding === 'utf-16be'
  }

  /** The bytes are only valid during the call. */
  toUtf8(bytes: Uint8Array): Uint8Array {
    const all = joinBytes([this.#half, bytes])
    const whole = all.subarray(0, all.length - (all.length % 2))
    this.#half = copyBytes(all.subarray(whole.length))
    const ordered = this.#isBigEndian ? swapPairs(whole) : whole
    return encoder.encode(this.#decoder.decode(ordered, { stream: true }))
  }
}

function swapPairs(bytes: Uint8Array): Uint8Array {
  const swapped = new Uint8Array(bytes.length)
  for (let at = 0; at < bytes.length; at += 2) {
    swapped[at] = bytes[at + 1] ?? 0
    swapped[at + 1] = bytes[at] ?? 0
  }
  return swapped
}
