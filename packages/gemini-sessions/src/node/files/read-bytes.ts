import type { FileHandle } from 'node:fs/promises'
import type { ByteRange } from '../../parse/json/bytes.ts'

/** These bytes of a file; fewer where it ends before. */
export async function readBytes(handle: FileHandle, { start, end }: ByteRange): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(end - start)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, start + length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}
