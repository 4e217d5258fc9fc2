import type { FileHandle } from 'node:fs/promises'
import type { ByteRange } from '../../parse/json/json-stream.ts'
import { readChunks } from '../files/read-chunks.ts'

const NEWLINE = 10

/** Where a line of a file stands, 1-based, without its end. null: the file has fewer. */
export async function findLine(handle: FileHandle, line: number): Promise<ByteRange | null> {
  const { size } = await handle.stat()
  let number = 1
  let start = line === 1 ? 0 : -1
  let end = -1
  let position = 0
  await readChunks(handle.fd, 0, size, (bytes) => {
    for (let at = bytes.indexOf(NEWLINE); at !== -1 && end === -1; at = bytes.indexOf(NEWLINE, at + 1)) {
      if (number === line) end = position + at
      number += 1
      if (number === line) start = position + at + 1
    }
    position += bytes.length
  })
  return start === -1 ? null : { start, end: end === -1 ? size : end }
}
