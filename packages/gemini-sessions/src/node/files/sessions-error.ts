const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'It is not there any more, or the folder of sessions that held it is not.',
  EACCES: 'The system does not allow to read this: permission denied.',
  EPERM: 'The system does not allow to read this: operation not permitted.',
  EIO: 'The disk reports an error while reading this.',
  ELOOP: 'This became a link after it was found; links are not followed.',
  EISDIR: 'This is a folder, not a file.',
  EMFILE: 'Too many files are open at once.',
  ENFILE: 'Too many files are open on this system.',
  ENXIO: 'This is a device or a pipe, not a file.',
}

/** What goes wrong otherwise than by what a file holds: `code` is for programs, `message` for people. */
export class SessionsError extends Error {
  readonly code: 'no-home' | 'file-changed'

  constructor(code: SessionsError['code'], message: string) {
    super(message)
    this.name = 'SessionsError'
    this.code = code
  }
}

/** Why the system refused, in one sentence; null if the file or folder is simply not there (any more). */
export function explainSystemError(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  if (code === 'ENOENT' || code === 'ENOTDIR') return null
  return explainFault(code)
}

/** The same of a code of the system, such as `EACCES`. */
export function explainFault(code: string): string {
  return REASONS[code] ?? `The system refuses to read this (${code}).`
}
