export type JsonRow = Record<string, unknown>

/** To which project a session goes, and from which. */
export interface Moved {
  projectHash: string
  /** `projectHash` of the projects that it was in, the one it is moved from last. */
  from: readonly string[]
}

/** A session file as that of another project. Only what says whose it is changes: all other lines stay byte for byte. */
export function moveLog(bytes: Uint8Array, moved: Moved): Buffer {
  const buffer = Buffer.from(bytes)
  const document = isDocument(buffer) ? readRow(buffer) : null
  if (document !== null) return Buffer.from(JSON.stringify(placed(document, moved), null, 2))
  const pieces: Buffer[] = []
  for (let start = 0; start < buffer.length; ) {
    const end = buffer.indexOf(NEW_LINE, start)
    const next = end < 0 ? buffer.length : end + 1
    const line = buffer.subarray(start, end < 0 ? next : end)
    const record = line.includes(NAME) ? readRow(line) : null
    const changed = record === null ? null : changedRecord(record, moved)
    if (changed === null) pieces.push(buffer.subarray(start, next))
    else pieces.push(Buffer.from(JSON.stringify(changed)), buffer.subarray(start + line.length, next))
    start = next
  }
  return Buffer.concat(pieces)
}

const NEW_LINE = 0x0a
const NAME = Buffer.from('"projectHash"')

/** As the CLI wrote it up to 0.38: one object over many lines. */
function isDocument(bytes: Buffer): boolean {
  return /^\s*\{\s*\n/.test(bytes.subarray(0, 64).toString())
}

/** null: it says nothing of the project. In the order in which the CLI asks what a record is. */
function changedRecord(record: JsonRow, moved: Moved): JsonRow | null {
  if (typeof record.$rewindTo === 'string' || typeof record.id === 'string') return null
  if (isRow(record.$set)) {
    if (typeof record.$set.projectHash !== 'string') return null
    return { ...record, $set: { ...record.$set, projectHash: moved.projectHash } }
  }
  return typeof record.projectHash === 'string' ? placed(record, moved) : null
}

/** In front, where the first bytes of a file tell it. */
function placed({ sessionId, projectHash: _, movedFrom: __, ...others }: JsonRow, moved: Moved): JsonRow {
  return { sessionId, projectHash: moved.projectHash, movedFrom: moved.from, ...others }
}

/** null: it is no object. */
export function readRow(bytes: Uint8Array | undefined): JsonRow | null {
  try {
    const text = bytes === undefined ? '' : Buffer.from(bytes).toString('utf8')
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isRow(value) ? value : null
  } catch {
    return null
  }
}

export function isRow(value: unknown): value is JsonRow {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
