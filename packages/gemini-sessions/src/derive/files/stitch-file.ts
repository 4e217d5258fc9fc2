import type { ParsedFile } from '../../parse/log/parsed-file.ts'

/** A parsed file and where it was found. */
export interface StitchFile {
  /** Absolute path of the home, `/` on every system. */
  home: string
  /** The file's modification time (ISO 8601 UTC): the last resort where neither content nor name tell a time. */
  modifiedTime: string | null
  parsed: ParsedFile
}
