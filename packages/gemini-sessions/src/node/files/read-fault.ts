/** What a file is or became, not what keeps us from reading it: time mends none of it. */
const STATES = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENXIO', 'EINVAL', 'ENAMETOOLONG', 'EFBIG'])

/** The system did not let us read a file just now. */
export class ReadFault extends Error {
  override readonly name = 'ReadFault'
  readonly path: string
  readonly code: string

  /** @param path relative to the file's home */
  constructor(path: string, code: string) {
    super(`The system refuses to read ${path} (${code}).`)
    this.path = path
    this.code = code
  }
}

/** The system's code of a fault that can go away by itself or be mended (EACCES, EIO, EMFILE, ...); null of any other error. */
export function faultCode(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) && !STATES.has(code) ? code : null
}
