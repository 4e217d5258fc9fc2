import { isRawObject, type RawObject } from '../../raw/raw-object.ts'
import { decodeText, isBlankByte } from '../json/bytes.ts'
import { findGluedRow } from './find-glued-row.ts'

export interface ParsedLine {
  /** null where the line is no JSON object. */
  row: RawObject | null
  isBlank: boolean
  isReadByCli: boolean
  /** The row stands behind a torn one: the CLI's loader drops both. */
  isGlued?: boolean
  /** The row is spread over several lines: the CLI's loader reads none of them. */
  isSpread?: boolean
  /** Sizes of values in it that no string can hold; they are left out or cut. */
  tooLargeBytes: readonly number[]
}

const OPENING = 123
const NOTHING_TOO_LARGE: readonly number[] = []

/** One line of a log; tolerates what a power loss (NUL runs) or an editor (BOM, CRLF) leaves. */
export function parseLine(bytes: Uint8Array): ParsedLine {
  const start = findContent(bytes)
  if (start === -1) return toLine(null, false, true)
  // Only objects are records; files full of anything else should not cost an exception a line.
  const row = bytes[start] === OPENING ? tryParse(decodeText(bytes)) : null
  if (row) return toLine(row, true)
  const rescued = rescue(bytes)
  if (rescued) return toLine(rescued, false)
  const glued = bytes[start] === OPENING ? findGluedRow(decodeText(bytes)) : null
  return glued ? { ...toLine(glued, true), isGlued: true } : toLine(null, false)
}

function toLine(row: RawObject | null, isReadByCli: boolean, isBlank = false): ParsedLine {
  return { row, isBlank, isReadByCli, tooLargeBytes: NOTHING_TOO_LARGE }
}

function findContent(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; at += 1) if (!isBlankByte(bytes[at] ?? 0)) return at
  return -1
}

/** The line without NULs and without a byte order mark, if that makes a record of it. */
function rescue(bytes: Uint8Array): RawObject | null {
  if (!bytes.includes(0) && bytes[0] !== 0xef) return null
  const text = decodeText(bytes.filter((byte) => byte !== 0))
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
