/** A piece of the hand-over as it is written, and whether something of it had to go. */
export interface Piece {
  text: string
  isShortened: boolean
}

/** What is left of a line that was cut has this many characters at least. */
const LEAST_BYTES = 24
/** Room for the line that says how much is missing. */
const MARK_BYTES = 48

/**
 * A recorded text, each line behind `> `, in at most so many bytes; `end: 'tail'` keeps its end instead of its beginning. What
 * is missing is told in a line of its own, so that every quoted line is recorded as it stands. null: nothing of it fits.
 */
export function quote(text: string, maxBytes: number, end: 'head' | 'tail' = 'head'): Piece | null {
  const lines = text.trim().split(/\r\n|\r|\n/)
  const whole = lines.map(quoted).join('\n')
  if (bytesOf(whole) <= maxBytes) return { text: whole, isShortened: false }
  const taken: string[] = []
  let room = maxBytes - MARK_BYTES
  let left = lines.reduce((sum, line) => sum + line.length + 1, -1)
  for (const line of end === 'head' ? lines : lines.toReversed()) {
    const size = bytesOf(quoted(line)) + 1
    const kept = size <= room ? line : cut(line, room - 3, end)
    if (kept === null) break
    taken.push(quoted(kept))
    room -= size
    left -= kept.length + (kept === line ? 1 : 0)
    if (kept !== line) break
  }
  if (taken.length === 0) return null
  const mark = `- (${left} more characters)`
  const inOrder = end === 'head' ? [...taken, mark] : [mark, ...taken.toReversed()]
  return { text: inOrder.join('\n'), isShortened: true }
}

/** A recorded text under a line of ours, in at most so many bytes. null: there is none, or nothing of it fits. */
export function quotedBelow(
  head: string,
  text: string,
  maxBytes: number,
  end: 'head' | 'tail' = 'head',
): Piece | null {
  return text === '' ? null : below(head, quote(text, maxBytes - bytesOf(head) - 1, end))
}

/** null: there is nothing to stand under it. */
export function below(head: string, written: Piece | null): Piece | null {
  return written && { ...written, text: `${head}\n${written.text}` }
}

/** A recorded text of one line in backticks, with facts of ours behind it; of several lines, quoted below the facts. */
export function named(text: string, facts: string, maxBytes: number): Piece | null {
  const only = text.trim()
  const behind = facts === '' ? '' : ` (${facts})`
  const line = `- ${inBackticks(only)}${behind}`
  if (!/[\r\n]/.test(only) && bytesOf(line) <= maxBytes) return { text: line, isShortened: false }
  const head = `- ${facts === '' ? 'this' : facts}:`
  const body = quote(only, maxBytes - bytesOf(head) - 1)
  return body && { ...body, text: `${head}\n${body.text}` }
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}

/** More backticks around than any inside. */
function inBackticks(text: string): string {
  let longest = 0
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length)
  const ticks = '`'.repeat(longest + 1)
  return longest === 0 ? `${ticks}${text}${ticks}` : `${ticks} ${text} ${ticks}`
}

function quoted(line: string): string {
  return `> ${line}`.trimEnd()
}

/** As much of a line as fits, never inside a character. null: too little to say anything. */
function cut(line: string, maxBytes: number, end: 'head' | 'tail'): string | null {
  if (maxBytes < LEAST_BYTES) return null
  const bytes = Buffer.from(line)
  const isInside = (at: number) => ((bytes[at] ?? 0) & 0xc0) === 0x80
  if (end === 'head') {
    let at = Math.min(maxBytes, bytes.length)
    while (at > 0 && isInside(at)) at--
    return bytes.toString('utf8', 0, at).trimEnd()
  }
  let at = Math.max(bytes.length - maxBytes, 0)
  while (at < bytes.length && isInside(at)) at++
  return bytes.toString('utf8', at).trimStart()
}
