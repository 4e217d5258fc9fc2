export interface RecordedRow {
  id: string
  tokens?: { total?: number } | null
}

/** A record of a session file, found independently of the reader. */
export interface WholeRecord {
  /** Offset of the byte after it. */
  end: number
  /** The messages in it. */
  rows: RecordedRow[]
}

/** Where each record of an undamaged file ends: a line of a log, a message of a pretty JSON document. */
export function wholeRecords(path: string, bytes: Uint8Array): WholeRecord[] {
  return path.endsWith('.jsonl') ? logRecords(bytes) : documentRecords(bytes)
}

function logRecords(bytes: Uint8Array): WholeRecord[] {
  return lineEnds(bytes).map(({ start, end }) => {
    const record = JSON.parse(new TextDecoder().decode(bytes.subarray(start, end)))
    const rows = typeof record.id === 'string' ? [record] : (record.$set?.messages ?? record.messages ?? [])
    return { end, rows }
  })
}

/** `JSON.stringify(record, null, 2)` closes a message with four spaces and a brace. */
function documentRecords(bytes: Uint8Array): WholeRecord[] {
  const { messages } = JSON.parse(new TextDecoder().decode(bytes))
  const closing = lineEnds(bytes).filter(({ start, end }) =>
    /^ {4}\},?$/.test(new TextDecoder().decode(bytes.subarray(start, end))),
  )
  return closing
    .slice(0, messages.length)
    .map(({ start }, index) => ({ end: start + 5, rows: [messages[index]] }))
}

function lineEnds(bytes: Uint8Array): { start: number; end: number }[] {
  const lines = []
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(10, start)
    const end = found === -1 ? bytes.length : found
    lines.push({ start, end })
    start = end + 1
  }
  return lines
}
