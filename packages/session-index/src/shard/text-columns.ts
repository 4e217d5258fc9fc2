import { createHash } from 'node:crypto'
import type { FieldPiece } from '../text/field-pieces.ts'
import { indexText, PIECE_BREAK } from '../text/index-text.ts'
import { SEARCH_FIELDS } from './schema.ts'

/**
 * The full-text row of the pieces: one text for each field, null where it says nothing. As bytes, which
 * the wasm build takes over several times faster than a string.
 */
export function textColumns(pieces: FieldPiece[]): (Uint8Array | null)[] {
  return SEARCH_FIELDS.map((field) => {
    const texts = pieces.filter((piece) => piece.field === field).map((piece) => indexText(piece.text))
    return texts.length === 0 ? null : Buffer.from(texts.join(PIECE_BREAK))
  })
}

/** Equal for equal text in equal fields, so that unchanged messages are not written again. */
export function hashPieces(pieces: FieldPiece[]): string {
  const hash = createHash('sha1')
  for (const { field, text } of pieces) hash.update(`${field} ${text.length} `).update(text)
  return hash.digest('base64').slice(0, 16)
}
