import { isRawObject, type RawObject } from '../raw/raw-object.ts'
import { isBlankByte } from './is-blank-byte.ts'

interface ParsedLine {
  /** null where the line is no JSON object. */
  row: RawObject | null
  isBlank: boolean
  isReadByCli: boolean
}

const OPENING = 123
/** `ignoreBOM` keeps the mark, so that it is seen and taken off here. Bad UTF-8 becomes U+FFFD, as in the CLI. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** One line of a log; tolerates what a power loss (NUL runs) or an editor (BOM, CRLF) leaves. */
export function parseLine(bytes: Uint8Array): ParsedLine {
  // Only objects are records; files full of anything else should not cost an exception a line.
  const start = bytes.findIndex((byte) => !isBlankByte(byte))
  if (start === -1) return { row: null, isBlank: true, isReadByCli: false }
  if (bytes[start] === OPENING) {
    const row = tryParse(decoder.decode(bytes))
    if (row) return { row, isBlank: false, isReadByCli: true }
  }
  return { row: rescue(bytes), isBlank: false, isReadByCli: false }
}

/** The line without NULs and without a byte order mark, if that makes a record of it. */
function rescue(bytes: Uint8Array): RawObject | null {
  if (!bytes.includes(0) && bytes[0] !== 0xef) return null
  const text = decoder.decode(bytes.filter((byte) => byte !== 0))
  return tryParse(text.replace(/^\uFEFF/, ''))
}

function tryParse(text: string): RawObject | null {
  if (!text.trimStart().startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(text)
    return isRawObject(value) ? value : null
  } catch {
    return null
  }
}
