import { hash } from 'node:crypto'
import { SEARCH_FIELDS } from '../database/schema.ts'
import type { FieldPiece } from '../text/field-pieces.ts'
import { indexText, PIECE_BREAK } from '../text/index-text.ts'

/** A piece with its text as UTF-8, which its hash and mostly its words are made of. */
export interface EncodedPiece extends FieldPiece {
  bytes: Buffer
}

export interface EncodedPieces {
  pieces: EncodedPiece[]
  /** An outline of the pieces and then their bytes, one after the other. */
  whole: Buffer
}

/** The pieces of one message share one buffer. */
export function encodePieces(pieces: FieldPiece[]): EncodedPieces {
  const lengths = pieces.map(({ text }) => Buffer.byteLength(text))
  const outline = pieces.map(({ field }, index) => `${field} ${lengths[index]}`).join(' ')
  const whole = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, outline.length))
  let end = whole.write(outline)
  const encoded = pieces.map(({ field, text, toolName }): EncodedPiece => {
    const start = end
    end += whole.write(text, start)
    return { field, text, toolName, bytes: whole.subarray(start, end) }
  })
  return { pieces: encoded, whole }
}

/**
 * The full-text row of the pieces: one text for each field, null where it says nothing. As bytes, which
 * the wasm build takes over several times faster than a string.
 */
export function textColumns({ pieces }: EncodedPieces): (Uint8Array | null)[] {
  const words = SEARCH_FIELDS.map((): Buffer[] => [])
  for (const piece of pieces) {
    const ofField = words[SEARCH_FIELDS.indexOf(piece.field)]
    if (ofField === undefined) continue
    if (ofField.length > 0) ofField.push(BREAK)
    ofField.push(wordsOf(piece))
  }
  return words.map((ofField) => (ofField.length > 1 ? Buffer.concat(ofField) : (ofField[0] ?? null)))
}

/** Equal for equal text in equal fields, so that unchanged messages are not written again. */
export function hashPieces({ whole }: EncodedPieces): string {
  return hash('sha1', whole, 'base64').slice(0, 16)
}

const BREAK = Buffer.from(PIECE_BREAK)

/** ASCII is indexed as it is: only there each UTF-16 unit is one byte. */
function wordsOf({ text, bytes }: EncodedPiece): Buffer {
  const isIndexedAsItIs = bytes.length === text.length && !bytes.includes(0)
  return isIndexedAsItIs ? bytes : Buffer.from(indexText(text))
}
