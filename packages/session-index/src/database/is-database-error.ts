/** An error of SQLite itself, from either driver. */
export function isDatabaseError(error: unknown): error is Error {
  return error instanceof Error && (error.name === 'SQLite3Error' || codeOf(error) === 'ERR_SQLITE_ERROR')
}

/** The file's content is damaged, or is not what we write; a new one in the same place will do. */
export function isDamage(error: unknown): error is Error {
  if (isDatabaseError(error)) return /malformed|not a database|corrupt/i.test(error.message)
  return error instanceof Error && (/\bJSON\b/.test(error.message) || error.name === 'ZodError')
}

/** WebAssembly stopped in the middle of something: nothing that is in its memory can be trusted any more. */
export function isTrap(error: unknown): error is Error {
  return error instanceof Error && error.name === 'RuntimeError'
}

/** Another thread may do what this one cannot: one that could not load a module, for want of open files, never can. */
export function isThreadFault(error: unknown): error is Error {
  return (
    isTrap(error) ||
    (error instanceof Error && error.name !== 'ReadFault' && /^(EMFILE|ENFILE)$/.test(String(codeOf(error))))
  )
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined
}
