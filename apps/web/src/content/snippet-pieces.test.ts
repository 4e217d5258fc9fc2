import { describe, expect, test } from 'vitest'
import { snippetPieces } from './hits.ts'

describe('snippetPieces', () => {
  test('marks every range and keeps the text around it', () => {
    expect(
      snippetPieces('the voucher and the rounding', [
        [4, 11],
        [20, 28],
      ]),
    ).toEqual([
      { start: 0, text: 'the ', isHit: false },
      { start: 4, text: 'voucher', isHit: true },
      { start: 11, text: ' and the ', isHit: false },
      { start: 20, text: 'rounding', isHit: true },
    ])
  })

  test('reads ranges in any order', () => {
    const pieces = snippetPieces('ab', [
      [1, 2],
      [0, 1],
    ])
    expect(pieces.map((piece) => piece.text)).toEqual(['a', 'b'])
  })

  test('never repeats or loses text where ranges overlap or lie outside', () => {
    const pieces = snippetPieces('价格四舍五入', [
      [0, 3],
      [2, 4],
      [5, 99],
    ])
    expect(pieces.map((piece) => piece.text).join('')).toBe('价格四舍五入')
    expect(pieces.filter((piece) => piece.isHit).map((piece) => piece.text)).toEqual(['价格四', '舍', '入'])
  })

  test('leaves a snippet without ranges whole', () => {
    expect(snippetPieces('nothing', [])).toEqual([{ start: 0, text: 'nothing', isHit: false }])
    expect(snippetPieces('', [])).toEqual([])
  })
})
