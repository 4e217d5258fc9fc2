import type { FileHandle } from 'node:fs/promises'
import type { FileMark, LogEnd } from './saved-texts.ts'

/** The file is what it was, or a log that only grew. */
export async function fitsMark(handle: FileHandle, mark: FileMark): Promise<boolean> {
  if ('stamp' in mark) return (await writeStamp(handle)) === mark.stamp
  const { ino } = await handle.stat({ bigint: true })
  return String(ino) === mark.inode && endsAsBefore(handle, mark)
}

/** Changes whenever the file is written or replaced. */
export async function writeStamp(handle: FileHandle): Promise<string> {
  const { ino, size, mtimeNs } = await handle.stat({ bigint: true })
  return `${ino} ${size} ${mtimeNs}`
}

export async function endsAsBefore(handle: FileHandle, { position, tail }: LogEnd): Promise<boolean> {
  const expected = Buffer.from(tail, 'base64')
  const { size } = await handle.stat()
  if (size < position) return false
  const bytes = Buffer.alloc(expected.length)
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, position - bytes.length)
  return bytesRead === bytes.length && bytes.equals(expected)
}
