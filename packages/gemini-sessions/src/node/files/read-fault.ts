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
