import type { FileHandle } from 'node:fs/promises'
import type { Message } from '../../model/message.ts'
import { type ByteRange, decodeText } from '../../parse/json/bytes.ts'
import type { PlacedTexts, TextPlace } from '../../parse/large-texts/large-texts.ts'
import { restoreMessage } from '../../parse/large-texts/restore-message.ts'
import { parseRow } from '../../parse/log/parse-row.ts'
import { StreamedObject } from '../../parse/log/streamed-object.ts'
import { isRawObject } from '../../raw/raw-object.ts'
import { readBytes } from '../files/read-bytes.ts'
import { readChunks } from '../files/read-chunks.ts'

/** The bytes of a larger row are not held: most of them are texts that nobody asked for, or the rest of a cut one. */
const MOST_HELD_BYTES = 16 * 1024 * 1024
/** Of several rows. */
const MOST_AT_ONCE_BYTES = 1024 * 1024
const MOST_BETWEEN_BYTES = 32 * 1024

/** The messages with what `texts` took out of them, read from the rows it came from. null: these are others now. */
export async function restoreMessages(
  handle: FileHandle,
  messages: readonly Message[],
  texts: PlacedTexts,
): Promise<Message[] | null> {
  const values = new Map<number, unknown>()
  for (const { range: span, rows } of spansOf(rowsOf(wantedIndices(messages, texts), texts))) {
    const bytes = sizeOf(span) <= MOST_HELD_BYTES ? await readBytes(handle, span) : null
    for (const { range, indices } of rows) {
      const places = indices.flatMap((index) => texts.places[index] ?? [])
      const found =
        bytes === null
          ? await readLongRow(handle, range, places)
          : findValues(bytes.subarray(range.start - span.start, range.end - span.start), places)
      for (const [at, index] of indices.entries()) {
        if (found[at] === undefined) return null
        values.set(index, found[at])
      }
    }
  }
  return messages.map((message) =>
    restoreMessage(message, ({ owner, index }) => (owner === texts.owner ? values.get(index) : undefined)),
  )
}

async function readLongRow(
  handle: FileHandle,
  range: ByteRange,
  places: readonly TextPlace[],
): Promise<unknown[]> {
  const row = new StreamedObject()
  await readChunks(handle.fd, range.start, range.end, (bytes) => row.append(bytes))
  return places.map((place) => ('path' in place ? valueAt(row.parsed.row, place) : undefined))
}

function wantedIndices(messages: readonly Message[], texts: PlacedTexts): Set<number> {
  const wanted = new Set<number>()
  for (const message of messages) {
    restoreMessage(message, ({ owner, index }) => {
      if (owner === texts.owner) wanted.add(index)
    })
  }
  return wanted
}

interface Row {
  range: ByteRange
  indices: number[]
}

/** The rows that hold these texts, in the order of the file. */
function rowsOf(wanted: ReadonlySet<number>, texts: PlacedTexts): Row[] {
  const rows = new Map<number, Row>()
  for (const index of wanted) {
    const range = texts.places[index]?.range
    if (range === undefined) continue
    const row = rows.get(range.start)
    if (row) row.indices.push(index)
    else rows.set(range.start, { range, indices: [index] })
  }
  return [...rows.values()].sort((a, b) => a.range.start - b.range.start)
}

interface Span {
  range: ByteRange
  rows: Row[]
}

/** Rows that lie near each other are read together: a call of the system for each takes longer than what lies between them. */
function spansOf(rows: readonly Row[]): Span[] {
  const spans: Span[] = []
  for (const row of rows) {
    const last = spans.at(-1)
    const isNear = last !== undefined && row.range.start - last.range.end <= MOST_BETWEEN_BYTES
    if (isNear && row.range.end - last.range.start <= MOST_AT_ONCE_BYTES) {
      last.range = { start: last.range.start, end: Math.max(last.range.end, row.range.end) }
      last.rows.push(row)
    } else spans.push({ range: row.range, rows: [row] })
  }
  return spans
}

function sizeOf({ start, end }: ByteRange): number {
  return end - start
}

/** What these bytes of a file hold at each place in them; undefined where they are not what they were. */
function findValues(bytes: Uint8Array, places: readonly TextPlace[]): unknown[] {
  let row: unknown
  return places.map((place) => {
    if ('at' in place) return readString(bytes, place.at)
    row ??= parseRow(bytes)
    return valueAt(row, place)
  })
}

function readString(bytes: Uint8Array, { start, end }: ByteRange): unknown {
  try {
    const value: unknown = JSON.parse(decodeText(bytes.subarray(start, end)))
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** What stands at a path in a row; undefined where that is not what it was. */
function valueAt(row: unknown, { path, length }: Extract<TextPlace, { path: unknown }>): unknown {
  const value = path.reduce<unknown>(step, row)
  const isSame = (typeof value === 'string' || Array.isArray(value)) && value.length === length
  return isSame ? value : undefined
}

function step(value: unknown, name: string | number): unknown {
  if (Array.isArray(value)) return value[Number(name)]
  return isRawObject(value) ? value[name] : undefined
}
