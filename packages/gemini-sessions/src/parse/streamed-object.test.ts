import { describe, expect, it } from 'vitest'
import { answer, at, prompt } from '../../test/make-file.ts'
import { StreamedObject } from './log.ts'

const rows = [prompt('p1', 1, 'braces }]} in "text"'), answer('a1', 2), prompt('p2', 3)]
const text = JSON.stringify(
  { sessionId: 's', startTime: at(1), messages: rows, summary: 'Two prompts' },
  null,
  2,
)

describe('a document that was cut', () => {
  it('keeps its whole messages and nothing of the one that is cut', () => {
    const cut = text.slice(0, text.indexOf('prompt p2') + 3)
    expect(salvagedRows(cut)).toEqual(rows.slice(0, 2))
  })

  it('keeps a message whose brace is the last byte', () => {
    const end = text.lastIndexOf('}', text.indexOf('"summary"')) + 1
    expect(salvagedRows(text.slice(0, end))).toEqual(rows)
  })

  it('keeps all of them where only the fields behind are cut', () => {
    expect(salvagedRows(text.slice(0, text.indexOf('Two') + 3))).toEqual(rows)
  })

  it('is nothing before its first message is whole', () => {
    expect(salvagedRows(text.slice(0, text.indexOf('braces')))).toEqual([])
    expect(salvagedRows('{"sessionId":"s","messages":[')).toEqual([])
    expect(salvagedRows('{')).toEqual([])
  })
})

describe('a document that was overwritten', () => {
  it('keeps what stands before a run of NULs', () => {
    const place = text.indexOf('answer a1')
    const holed = `${text.slice(0, place)}${'\0'.repeat(40)}${text.slice(place + 40)}`
    expect(salvagedRows(holed)).toEqual(rows.slice(0, 1))
  })

  it('keeps all of its own where the rest of a longer one stands behind it', () => {
    expect(salvagedRows(`${text}  ]\n}`)).toEqual(rows)
  })
})

function salvagedRows(text: string): unknown {
  const bytes = new TextEncoder().encode(text)
  const document = new StreamedObject()
  for (let at = 0; at < bytes.length; at += 7) document.append(bytes.slice(at, at + 7))
  expect(document.damage !== null || document.parsed.row !== null).toBe(true)
  return document.salvage()?.messages ?? []
}
