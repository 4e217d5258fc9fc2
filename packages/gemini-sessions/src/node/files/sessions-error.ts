/** What goes wrong otherwise than by what a file holds: `code` is for programs, `message` for people. */
export class SessionsError extends Error {
  readonly code: 'no-home' | 'file-changed'

  constructor(code: SessionsError['code'], message: string) {
    super(message)
    this.name = 'SessionsError'
    this.code = code
  }
}
