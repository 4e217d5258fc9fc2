import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { ByteRange } from '../../parse/json/bytes.ts'
import { decodeFile } from '../../parse/json/file-encoding.ts'
import { faultCode } from './read-fault.ts'
import { READ_ONLY_FLAGS } from './read-only-flags.ts'

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

/** Text of a small regular file (a marker, a registry, settings); null if there is none or it cannot be read. `onFault`: why the system refused. */
export function readSmallFile(
  path: string,
  maxSizeBytes: number,
  onFault: (code: string) => void = () => {},
): string | null {
  let descriptor: number | null = null
  try {
    descriptor = openSync(path, READ_ONLY_FLAGS)
    const stats = fstatSync(descriptor)
    if (!stats.isFile() || stats.size > maxSizeBytes) return null
    return decodeFile(readFileSync(descriptor))
  } catch (error) {
    const code = faultCode(error)
    if (code !== null) onFault(code)
    return null
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

/** The same of a file that a look at the disk has found: that it is gone is told as a fault, as it may come back as it was. */
export function readFoundFile(
  path: string,
  maxSizeBytes: number,
  onFault: (code: string) => void,
): string | null {
  const text = readSmallFile(path, maxSizeBytes, onFault)
  if (text === null && !existsSync(path)) onFault('ENOENT')
  return text
}
