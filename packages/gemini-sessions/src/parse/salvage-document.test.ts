import { describe, expect, it } from 'vitest'
import { answer, at, prompt } from '../../test/make-file.ts'
import { salvageDocument } from './salvage-document.ts'

const rows = [prompt('p1', 1, 'braces }]} in "text"'), answer('a1', 2), prompt('p2', 3)]
const text = JSON.stringify(
  { sessionId: 's', startTime: at(1), messages: rows, summary: 'Two prompts' },
  null,
  2,
)

describe('a document that was cut', () => {
  it('keeps its whole messages and nothing of the one that is cut', () => {
    const cut = text.slice(0, text.indexOf('prompt p2') + 3)
    expect(salvageDocument(cut)?.rows).toEqual(rows.slice(0, 2))
  })

  it('keeps a message whose brace is the last byte', () => {
    const end = text.lastIndexOf('}', text.indexOf('"summary"')) + 1
    expect(salvageDocument(text.slice(0, end))?.rows).toEqual(rows)
  })

  it('keeps all of them where only the fields behind are cut', () => {
    expect(salvageDocument(text.slice(0, text.indexOf('Two') + 3))?.rows).toEqual(rows)
  })

  it('is nothing before its first message is whole', () => {
    expect(salvageDocument(text.slice(0, text.indexOf('braces')))).toBeNull()
    expect(salvageDocument('{"sessionId":"s","messages":[')).toBeNull()
    expect(salvageDocument('{')).toBeNull()
  })
})

describe('a document that was overwritten', () => {
  it('keeps what stands before a run of NULs', () => {
    const place = text.indexOf('answer a1')
    const holed = `${text.slice(0, place)}${'\0'.repeat(40)}${text.slice(place + 40)}`
    expect(salvageDocument(holed)?.rows).toEqual(rows.slice(0, 1))
  })

  it('keeps all of its own where the rest of a longer one stands behind it', () => {
    expect(salvageDocument(`${text}  ]\n}`)?.rows).toEqual(rows)
  })
})
