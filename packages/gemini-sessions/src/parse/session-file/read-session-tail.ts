import { isRawObject } from '../../raw/raw-object.ts'
import { decodeFile, type FileEncoding } from '../json/file-encoding.ts'
import { HeaderReader } from '../log/header-reader.ts'
import { headOf, type SessionHead } from './read-session-head.ts'

/** Metadata hold few lists of their own. */
const MAX_TRIES = 16

/**
 * The metadata behind the messages of a JSON document, from its last bytes: other tools write fields in an order of their
 * own. null where the bytes are not the end of such a document.
 *
 * @param encoding of the file, which its end does not show
 */
export function readSessionTail(bytes: Uint8Array, encoding: FileEncoding = 'utf-8'): SessionHead | null {
  const text = decodeFile(bytes, encoding).trimEnd()
  if (!text.endsWith('}')) return null
  let end = text.length
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    // The list of messages ends somewhere; what follows it up to the end is an object without its brace.
    end = text.lastIndexOf(']', end - 1)
    if (end === -1) return null
    const fields = parseFields(text.slice(end + 1))
    if (fields !== null) return fields
  }
  return null
}

function parseFields(rest: string): SessionHead | null {
  const fields = tryParse(rest.replace(/^\s*,/, '{'))
  if (!isRawObject(fields) || typeof fields.sessionId !== 'string') return null
  const reader = new HeaderReader()
  reader.readMetadata(fields)
  return headOf(reader.header, null)
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
