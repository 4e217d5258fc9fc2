import { statSync } from 'node:fs'

/** Changes with every writing of the file; empty if there is none. */
export function fileIdentity(file: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true })
    return `${ino} ${size} ${mtimeNs}`
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && MISSING.has(error.code)
    if (isMissing) return ''
    throw error
  }
}

/** There is none, or its folder is a file. */
const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR'])
