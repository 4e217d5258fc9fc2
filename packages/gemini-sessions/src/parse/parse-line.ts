import { isRawObject, type RawObject } from '../raw/raw-object.ts'

interface ParsedLine {
  /** null where the line is no JSON object. */
  row: RawObject | null
  isBlank: boolean
  isReadByCli: boolean
}

/** `ignoreBOM` keeps the mark, so that it is seen and taken off here. Bad UTF-8 becomes U+FFFD, as in the CLI. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** One line of a log; tolerates what a power loss (NUL runs) or an editor (BOM, CRLF) leaves. */
export function parseLine(bytes: Uint8Array): ParsedLine {
  const text = decoder.decode(bytes)
  const row = tryParse(text)
  if (row !== undefined) return { row: isRawObject(row) ? row : null, isBlank: false, isReadByCli: true }
  const cleaned = text.replaceAll('\0', '').replace(/^\uFEFF/, '')
  if (cleaned.trim() === '') return { row: null, isBlank: cleaned.length === text.length, isReadByCli: false }
  const rescued = cleaned.length === text.length ? undefined : tryParse(cleaned)
  return { row: isRawObject(rescued) ? rescued : null, isBlank: false, isReadByCli: false }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
