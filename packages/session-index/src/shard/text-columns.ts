import { hash } from 'node:crypto'
import type { FieldPiece } from '../text/field-pieces.ts'
import { indexText, PIECE_BREAK } from '../text/index-text.ts'
import { SEARCH_FIELDS } from './schema.ts'

/** A piece with its text as UTF-8, which its hash and mostly its words are made of. */
export interface EncodedPiece extends FieldPiece {
  bytes: Buffer
}

export function encodePieces(pieces: FieldPiece[]): EncodedPiece[] {
  return pieces.map((piece) => ({ ...piece, bytes: Buffer.from(piece.text) }))
}

/**
 * The full-text row of the pieces: one text for each field, null where it says nothing. As bytes, which
 * the wasm build takes over several times faster than a string.
 */
export function textColumns(pieces: EncodedPiece[]): (Uint8Array | null)[] {
  return SEARCH_FIELDS.map((field) => {
    const words = pieces.filter((piece) => piece.field === field).map(wordsOf)
    const [first] = words
    if (first === undefined || words.length === 1) return first ?? null
    return Buffer.concat(words.flatMap((each, index) => (index === 0 ? [each] : [BREAK, each])))
  })
}

/** Equal for equal text in equal fields, so that unchanged messages are not written again. */
export function hashPieces(pieces: EncodedPiece[]): string {
  const outline = pieces.map(({ field, bytes }) => `${field} ${bytes.length}`).join(' ')
  const whole = Buffer.concat([Buffer.from(outline), ...pieces.map(({ bytes }) => bytes)])
  return hash('sha1', whole, 'base64').slice(0, 16)
}

const BREAK = Buffer.from(PIECE_BREAK)

/** ASCII is indexed as it is: only there each UTF-16 unit is one byte. */
function wordsOf({ text, bytes }: EncodedPiece): Buffer {
  const isIndexedAsItIs = bytes.length === text.length && !bytes.includes(0)
  return isIndexedAsItIs ? bytes : Buffer.from(indexText(text))
}
