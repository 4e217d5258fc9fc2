import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { GroupClaims } from '../../derive/identity/assign-keys.ts'
import { stitchGroup } from '../../derive/stitch/stitch-group.ts'
import type { Session } from '../../model/session.ts'
import { detectEncoding } from '../../parse/json/file-encoding.ts'
import { parseSessionFile } from '../../parse/session-file/parse-session-file.ts'
import { READ_ONLY_FLAGS } from '../files/read-only-flags.ts'
import type { DiscoveredFile } from '../scan/scan.ts'

const NEWLINE = 0x0a

/**
 * The session as the first `lengthBytes` of its file tell it. Its messages have the keys that they have in the whole, but
 * what follows may take any of them back, replace it or add to it. null: that much holds no session, or the file cannot be
 * read just now.
 */
export function readSessionBeginning(
  file: DiscoveredFile,
  lengthBytes: number,
  claims?: GroupClaims,
): Session | null {
  const bytes = readBeginning(file, lengthBytes)
  if (bytes === null) return null
  const parsed = parseSessionFile({ path: file.path, bytes })
  const [session] = stitchGroup([{ home: file.home, parsed }], claims)
  return session ?? null
}

function readBeginning({ absolutePath, path }: DiscoveredFile, lengthBytes: number): Uint8Array | null {
  try {
    const opened = openSync(absolutePath, READ_ONLY_FLAGS)
    try {
      if (!fstatSync(opened).isFile()) return null
      const buffer = Buffer.allocUnsafe(lengthBytes)
      const bytes = buffer.subarray(0, readSync(opened, buffer, 0, lengthBytes, 0))
      // nothing shows where a record of UTF-16 is cut
      if (detectEncoding(bytes) !== 'utf-8') return null
      // a record that is cut would be taken for a torn one
      return path.endsWith('.jsonl') ? bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1) : bytes
    } finally {
      closeSync(opened)
    }
  } catch {
    // whoever reads the whole is told why
    return null
  }
}
