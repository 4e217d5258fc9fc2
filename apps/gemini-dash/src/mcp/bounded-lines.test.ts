import { describe, expect, test } from 'vitest'
import { boundedLines } from './bounded-lines.ts'

const MAX_BYTES = 1_000

async function read(text: string, chunkBytes: number): Promise<{ lines: string[]; refused: string[] }> {
  const bytes = Buffer.from(text)
  const lines: string[] = []
  const refused: string[] = []
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += chunkBytes)
      yield bytes.subarray(start, start + chunkBytes)
  }
  for await (const line of boundedLines(chunks(), MAX_BYTES, (id) => refused.push(id)))
    lines.push(line.toString())
  return { lines, refused }
}

describe.each([1, 7, 999, 1_000_000])('lines in chunks of %i bytes', (chunkBytes) => {
  const filler = 'x'.repeat(MAX_BYTES)
  const longest = 'é'.repeat(MAX_BYTES / 2)

  test('come whole up to the limit, and without the longer ones', async () => {
    const text = `a\n\n${longest}\n${longest}x\n{"b":1}\r\nno end`
    expect(await read(text, chunkBytes)).toEqual({
      lines: ['a\n', '\n', `${longest}\n`, '{"b":1}\r\n'],
      refused: ['null'],
    })
  })

  test.each([
    ['7', `{"jsonrpc":"2.0","id":7,"method":"m","params":{"text":"${filler}"}}`],
    ['"a\\"b"', `{ "method" : "m", "id" : "a\\"b", "params" : ["${filler}"] }`],
    ['-3', `{"method":"m","params":{"id":9,"text":"${filler}"},"jsonrpc":"2.0","id":-3}\r`],
    ['null', `{"method":"m","params":{"id":9,"text":"${filler}","id":9}}`],
    ['null', `{"jsonrpc":"2.0","id":{"id":9},"text":"${filler}"}`],
    ['null', `"id":9}${filler}`],
  ])('the id %s is found where clients write it', async (id, line) => {
    expect((await read(`${line}\n`, chunkBytes)).refused).toEqual([id])
  })
})

test('a line that never ends is refused once, and no more of it is read ahead than that takes', async () => {
  const refused: [id: string, takenBytes: number][] = []
  let takenBytes = 0
  async function* endless(beginning: string) {
    yield Buffer.from(beginning)
    for (takenBytes = beginning.length; takenBytes < 1_000 * MAX_BYTES; takenBytes += MAX_BYTES)
      yield Buffer.alloc(MAX_BYTES, 'x')
  }
  for (const beginning of ['{"jsonrpc":"2.0","id":7,"params":"', ''])
    for await (const line of boundedLines(endless(beginning), MAX_BYTES, (id) =>
      refused.push([id, takenBytes]),
    ))
      expect(line).toBe('never')
  expect(refused).toEqual([
    ['7', 34],
    ['null', 10 * MAX_BYTES],
  ])
})
