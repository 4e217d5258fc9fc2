const NEWLINE = 10
const BLANK = 32
const OPENING = 123
const CLOSING = 125
const LIST_END = 93
const MESSAGES_LINE = new TextEncoder().encode('  "messages": [')

export interface PrettySlices {
  /** Bytes of each message, in order. */
  messages: Uint8Array[]
  /** The document without its messages: what stands before and behind them. */
  before: Uint8Array
  after: Uint8Array
}

/**
 * Finds the messages of `JSON.stringify(record, null, 2)`, the form of 0.4 to 0.38, by their indent alone: a
 * string holds no raw newline, so a line of four blanks and a brace starts or ends a message.
 *
 * @returns null where the bytes have another form or end too early
 */
export function slicePrettyMessages(bytes: Uint8Array): PrettySlices | null {
  const listStart = findMessagesLine(bytes)
  if (listStart === -1) return null
  const messages: Uint8Array[] = []
  let messageStart = -1
  let lineStart = listStart
  while (lineStart < bytes.length) {
    const first = bytes[lineStart + 4]
    if (bytes[lineStart + 2] === LIST_END && isIndent(bytes, lineStart, 2)) {
      if (messageStart !== -1) return null
      return { messages, before: bytes.subarray(0, listStart), after: bytes.subarray(lineStart) }
    }
    if (first !== BLANK && isIndent(bytes, lineStart, 4)) {
      if (first === OPENING && messageStart === -1) messageStart = lineStart
      else if (first === CLOSING && messageStart !== -1) {
        messages.push(bytes.subarray(messageStart, lineStart + 5))
        messageStart = -1
      } else return null
    }
    lineStart = nextLine(bytes, lineStart)
  }
  return null
}

/** Start of the line behind `"messages": [`. */
function findMessagesLine(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; at = nextLine(bytes, at)) {
    if (MESSAGES_LINE.every((byte, offset) => bytes[at + offset] === byte)) {
      const end = at + MESSAGES_LINE.length
      return bytes[end] === NEWLINE ? end + 1 : -1
    }
  }
  return -1
}

function nextLine(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(NEWLINE, from)
  return end === -1 ? bytes.length : end + 1
}

function isIndent(bytes: Uint8Array, from: number, length: number): boolean {
  for (let offset = 0; offset < length; offset += 1) if (bytes[from + offset] !== BLANK) return false
  return true
}
