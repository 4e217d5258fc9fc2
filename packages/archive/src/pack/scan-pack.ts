import { readSync } from 'node:fs'
import { isSealedBy, RECORD_HEAD_BYTES, RECORD_MAGIC, type RecordHead, readRecordHead } from './record.ts'

export interface FoundRecord {
  head: RecordHead
  /** Of the head, in the pack. */
  offset: number
  stored: Buffer
}

export interface PackScan {
  /** Behind the last whole record: where the next one belongs. */
  end: number
  /** Behind it stands a record that was never finished: whoever wrote it was stopped. */
  isTorn: boolean
  /** Where something stands that is no whole record, though whole ones follow or nothing is missing. */
  damaged: number[]
}

const SEARCH_BYTES = 1024 * 1024

/**
 * Reads the records of a pack from `start` on, each of them proven by its seal. A damaged one is stepped over: what comes
 * behind it is found again. Only what nothing whole follows is torn.
 */
export function scanPack(
  descriptor: number,
  { start, sizeBytes }: { start: number; sizeBytes: number },
  onRecord: (record: FoundRecord) => void,
): PackScan {
  const damaged: number[] = []
  let offset = start
  let end = start
  while (offset < sizeBytes) {
    const head = readRecordHead(readAt(descriptor, offset, RECORD_HEAD_BYTES))
    const next = head === null ? null : offset + RECORD_HEAD_BYTES + head.storedBytes
    if (head === null || next === null || next > sizeBytes) {
      const found = findRecord(descriptor, offset + 1, sizeBytes)
      if (found === null) return { end, isTorn: true, damaged }
      damaged.push(offset)
      offset = found
      continue
    }
    const stored = readAt(descriptor, offset + RECORD_HEAD_BYTES, head.storedBytes)
    if (isSealedBy(head, stored)) onRecord({ head, offset, stored })
    else damaged.push(offset)
    offset = next
    end = next
  }
  return { end, isTorn: false, damaged }
}

/** Where the next head of a record stands, whose body is there; null: nowhere. */
function findRecord(descriptor: number, start: number, sizeBytes: number): number | null {
  for (let from = start; from < sizeBytes; from += SEARCH_BYTES) {
    // a head that begins in this piece ends in it, too
    const piece = readAt(descriptor, from, SEARCH_BYTES + RECORD_HEAD_BYTES)
    for (let at = piece.indexOf(RECORD_MAGIC); at !== -1; at = piece.indexOf(RECORD_MAGIC, at + 1)) {
      const head = readRecordHead(piece.subarray(at, at + RECORD_HEAD_BYTES))
      if (head !== null && from + at + RECORD_HEAD_BYTES + head.storedBytes <= sizeBytes) return from + at
    }
  }
  return null
}

/** Fewer bytes where the file ends before. */
export function readAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  let filled = 0
  while (filled < length) {
    const read = readSync(descriptor, bytes, filled, length - filled, position + filled)
    if (read === 0) break
    filled += read
  }
  return bytes.subarray(0, filled)
}
