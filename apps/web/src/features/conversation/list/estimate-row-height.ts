import type { Row } from '../rows/row.ts'

/** Height of a message before anything is known of it, and of a line of the server's guess, in px. */
const UNLOADED_HEIGHT = 120
const LINE_HEIGHT = 24

const LEAD_HEIGHT = { compressed: 90, part: 90, resumed: 72, pause: 28, new: 28, turn: 60 }

/** A first guess; the row is measured as soon as it is drawn. */
export function estimateRowHeight(row: Row | undefined): number {
  if (row === undefined) return UNLOADED_HEIGHT
  if (row.kind === 'unloaded') return unloadedHeight(row)
  const above = row.lead.reduce((sum, lead) => sum + LEAD_HEIGHT[lead.kind], 0)
  if (row.kind === 'fold') return above + 52
  const { message } = row
  const text = message.content.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 300), 0)
  const said = text === 0 ? 0 : 48 + Math.ceil(Math.min(text, 8_000) / 75) * 24
  const thoughts = message.thoughts.length > 0 ? 36 : 0
  const calls = message.toolCalls.reduce((sum, call) => sum + (call.failed ? 260 : 35), 0)
  return Math.max(above + said + thoughts + calls + 12, 36)
}

/** Of a page that is on its way. */
export function unloadedHeight({ count, lines }: Extract<Row, { kind: 'unloaded' }>): number {
  return lines === null ? count * UNLOADED_HEIGHT : Math.max(lines, 1) * LINE_HEIGHT
}
