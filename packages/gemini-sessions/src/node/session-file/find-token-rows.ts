import { type FileHandle, open } from 'node:fs/promises'
import type { SessionFile } from '../../model/session-summary.ts'
import type { TokenUsage } from '../../model/token-usage.ts'
import { copyBytes, joinBytes } from '../../parse/json/bytes.ts'
import { decodeFile, detectEncoding, type FileEncoding, Utf16Reader } from '../../parse/json/file-encoding.ts'
import { toUsage } from '../../parse/lift/tokens/to-usage.ts'
import { LogLines, type OnLine } from '../../parse/log/log-lines.ts'
import { parseRow } from '../../parse/log/parse-row.ts'
import { Problems } from '../../parse/problems/problems.ts'
import { isRawObject, type RawObject } from '../../raw/raw-object.ts'
import { readBytes } from '../files/read-bytes.ts'
import { readChunks } from '../files/read-chunks.ts'
import { READ_ONLY_FLAGS } from '../files/read-only-flags.ts'

/** A row of a file that records tokens of a message, and where it stands. */
export interface TokenRow {
  /** 1-based; null: the file is one document. */
  line: number | null
  /** 0-based, in a list of messages; null: the row is a line of its own. */
  index: number | null
  usage: TokenUsage
}

/** Longer lines are rewrites of a whole history, which repeat what other lines say. */
const MOST_BYTES = 32 * 1024 * 1024
const NEWLINE = 10
/** Enough to tell how a file is written. */
const START_BYTES = 64

/**
 * Every row of a session file that records tokens of the message with this id, in the file's order: a log holds one for
 * each time that the CLI wrote them. Only what holds the id is parsed, and nothing that is larger than 32 MB.
 *
 * @param absolutePath where it is read, if not in its home
 * @throws if the file cannot be opened
 */
export async function findTokenRows(
  { home, path, format }: Pick<SessionFile, 'home' | 'path' | 'format'>,
  id: string,
  absolutePath = `${home}/${path}`,
): Promise<TokenRow[]> {
  const mark = JSON.stringify(id)
  const rows: TokenRow[] = []
  const isDocument = format === 'json'
  const handle = await open(absolutePath, READ_ONLY_FLAGS)
  try {
    const start = await readBytes(handle, { start: 0, end: START_BYTES })
    const encoding = detectEncoding(start)
    const isSpread = !isDocument && /^\s*\{\s*\n/.test(decodeFile(start))
    if (encoding !== 'utf-8' || isSpread)
      await eachRecord(handle, encoding, (row, line) =>
        rows.push(...rowsIn(row, id, isDocument ? null : line)),
      )
    else
      await eachLine(handle, isDocument, (bytes, line) => {
        const row = bytes.includes(mark) ? parseRow(bytes) : null
        if (row !== null) rows.push(...rowsIn(row, id, line))
      })
  } finally {
    await handle.close()
  }
  return rows
}

/** Of a file that another program wrote again: as UTF-16, or with records over several lines. Every record is parsed. */
async function eachRecord(
  handle: FileHandle,
  encoding: FileEncoding,
  onRow: (row: RawObject, line: number) => void,
): Promise<void> {
  const utf16 = encoding === 'utf-8' ? null : new Utf16Reader(encoding)
  const lines = new LogLines(null, (_names, item) => item, null)
  const onLine: OnLine = ({ row }, line) => {
    if (row !== null) onRow(row, line)
  }
  await readChunks(handle.fd, 0, (await handle.stat()).size, (bytes) =>
    lines.append(utf16 === null ? bytes : utf16.toUtf8(bytes), onLine),
  )
  onLine(lines.rest.line, lines.rest.number)
}

/** The lines of a file, or all of a document; those above the limit are left out. The bytes are only lent for the call. */
async function eachLine(
  handle: FileHandle,
  isDocument: boolean,
  onLine: (bytes: Buffer, line: number | null) => void,
): Promise<void> {
  let number = 1
  let pieces: Uint8Array[] = []
  let sizeBytes = 0
  const hold = (piece: Uint8Array) => {
    sizeBytes += piece.length
    if (sizeBytes <= MOST_BYTES) pieces.push(copyBytes(piece))
    else pieces = []
  }
  const end = (last: Uint8Array) => {
    if (sizeBytes + last.length <= MOST_BYTES) {
      const { buffer, byteOffset, byteLength } = pieces.length === 0 ? last : joinBytes([...pieces, last])
      onLine(Buffer.from(buffer, byteOffset, byteLength), isDocument ? null : number)
    }
    number += 1
    pieces = []
    sizeBytes = 0
  }
  await readChunks(handle.fd, 0, (await handle.stat()).size, (bytes) => {
    let start = 0
    for (let at = isDocument ? -1 : bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, start)) {
      end(bytes.subarray(start, at))
      start = at + 1
    }
    hold(bytes.subarray(start))
  })
  end(new Uint8Array())
}

function rowsIn(row: RawObject, id: string, line: number | null): TokenRow[] {
  const { messages } = isRawObject(row.$set) ? row.$set : row
  const list: unknown[] = Array.isArray(messages) ? messages : []
  return [
    ...toRows(row, id, { line, index: null }),
    ...list.flatMap((message, index) => toRows(message, id, { line, index })),
  ]
}

function toRows(row: unknown, id: string, place: Pick<TokenRow, 'line' | 'index'>): TokenRow[] {
  if (!isRawObject(row) || row.id !== id) return []
  const usage = toUsage(row.tokens, '', new Problems())
  return usage === null ? [] : [{ ...place, usage }]
}
