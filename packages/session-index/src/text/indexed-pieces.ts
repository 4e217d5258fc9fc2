import type { FieldPiece } from './field-pieces.ts'

/** Longest tool output that the index takes whole, in UTF-16 units; of a longer one it takes head and tail. */
export const TOOL_OUTPUT_LIMIT = 16 * 1024
/** The same for any other text; far beyond what people and models write, it only bounds the work. */
const TEXT_LIMIT = 1024 * 1024

/** The part of the pieces that the index holds: long outputs capped, inline base64 left out. */
export function indexedPieces(pieces: FieldPiece[]): FieldPiece[] {
  const indexed: FieldPiece[] = []
  for (const piece of pieces) {
    const limit = piece.field === 'tool-output' ? TOOL_OUTPUT_LIMIT : TEXT_LIMIT
    const text = withoutInlineData(piece.text)
    if (text === piece.text && text.length <= limit) indexed.push(piece)
    else for (const part of capText(text, limit)) indexed.push({ ...piece, text: part })
  }
  return indexed
}

/** `data:` URIs blanked out, character by character, so that offsets stay. */
function withoutInlineData(text: string): string {
  if (!text.includes(';base64,')) return text
  return text.replace(/(?<=;base64,)[A-Za-z0-9+/=\s]{64,}/g, (data) => ' '.repeat(data.length))
}

/** The head and the tail of a text that is longer than the limit (in UTF-16 units): three quarters and one. */
function capText(text: string, limit: number): string[] {
  if (text.length <= limit) return [text]
  const headEnd = Math.floor((limit * 3) / 4)
  return [text.slice(0, headEnd), text.slice(text.length - (limit - headEnd))]
}
