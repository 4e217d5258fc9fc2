/** An error of SQLite itself, from either driver. */
export function isDatabaseError(error: unknown): error is Error {
  return error instanceof Error && (error.name === 'SQLite3Error' || codeOf(error) === 'ERR_SQLITE_ERROR')
}

/** The file's content is damaged; a new one in the same place will do. */
export function isDamage(error: unknown): boolean {
  return isDatabaseError(error) && /malformed|not a database|corrupt/i.test(error.message)
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined
}
