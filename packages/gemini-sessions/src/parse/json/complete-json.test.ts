import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeJson } from './complete-json.ts'

describe('completing JSON that was cut', () => {
  it.each([
    ['{"a":1,"b":[1,2', { a: 1, b: [1, 2] }],
    ['{"a":"tex', { a: 'tex' }],
    ['{"a":"te\\', { a: 'te' }],
    ['{"a":"te\\u00', { a: 'te' }],
    ['{"a":"x","b', { a: 'x' }],
    ['{"a":"x","b":', { a: 'x' }],
    ['{"a":"x","b":tr', { a: 'x' }],
    ['{"a":{"b":[{"c":1},', { a: { b: [{ c: 1 }] } }],
    ['', undefined],
    ['nonsense', undefined],
  ])('%s', (text, value) => {
    expect(completeJson(text)).toEqual(value)
  })

  it('leaves whole JSON as it is, and finds an object in any prefix of one', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, cut) => {
        const text = JSON.stringify(value)
        expect(completeJson(text)).toEqual(JSON.parse(text))
        expect(completeJson(text.slice(0, 1 + (cut % text.length)))).toBeTypeOf('object')
      }),
    )
  })
})
