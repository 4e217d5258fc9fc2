import { createHash } from 'node:crypto'
import { SEARCH_FIELDS } from '@gemini-dash/api/search-fields'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type FieldPiece, indexText, PIECE_BREAK } from '../text.ts'
import { encodePieces, hashPieces, textColumns } from './write-session.ts'

const pieces = fc.array(
  fc.record({
    field: fc.constantFrom<FieldPiece['field']>('prompt', 'answer'),
    text: fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary-ascii' })),
    toolName: fc.constant(null),
  }),
)

it('takes ASCII as it is and says of every text what the index wants', () => {
  fc.assert(
    fc.property(pieces, (given) => {
      const columns = textColumns(encodePieces(given).pieces)
      for (const [index, field] of SEARCH_FIELDS.entries()) {
        const texts = given.filter((piece) => piece.field === field).map(({ text }) => indexText(text))
        const wanted = texts.length === 0 ? null : Buffer.from(texts.join(PIECE_BREAK))
        expect(columns[index]?.toString() ?? null).toBe(wanted?.toString() ?? null)
      }
    }),
  )
})

it('tells apart what differs in a letter, a field, or where one piece ends', () => {
  const hash = (...texts: [FieldPiece['field'], string][]) =>
    hashPieces(encodePieces(texts.map(([field, text]) => ({ field, text, toolName: null }))))
  expect(hash(['prompt', 'ab'], ['prompt', 'c'])).toBe(hash(['prompt', 'ab'], ['prompt', 'c']))
  const others = [
    hash(['prompt', 'ab'], ['prompt', 'c']),
    hash(['prompt', 'a'], ['prompt', 'bc']),
    hash(['prompt', 'abc']),
    hash(['answer', 'abc']),
    hash(['prompt', 'abd']),
    hash(['prompt', 'ab'], ['answer', 'c']),
  ]
  expect(new Set(others).size).toBe(others.length)
})

it('has the same hash as an index on disk, whatever the text', () => {
  fc.assert(
    fc.property(pieces, (given) => {
      const texts = given.map(({ text }) => Buffer.from(text))
      const outline = given.map(({ field }, index) => `${field} ${texts[index]?.length}`).join(' ')
      const whole = Buffer.concat([Buffer.from(outline), ...texts])
      expect(hashPieces(encodePieces(given))).toBe(createHash('sha1').update(whole).digest().readUIntBE(0, 6))
    }),
  )
})
