import type { ParsedFile } from '../log/parsed-file.ts'
import { SessionLogReader } from './session-log-reader.ts'

/** What one session file says. Never throws: what cannot be read becomes `issues`. */
export function parseSessionFile({ path, bytes }: { path: string; bytes: Uint8Array }): ParsedFile {
  const reader = new SessionLogReader(path)
  reader.append(bytes)
  return reader.result()
}
