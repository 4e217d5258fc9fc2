/** Where a command speaks: answers on stdout, everything else on stderr. */
export interface Terminal {
  /** Resolves once the text is handed over, so that a slow reader is waited for. */
  write(text: string): Promise<void>
  /** A line for the person in front, never part of the answer. */
  note(line: string): void
  /** A line that is written over; nothing where stderr is no terminal. */
  progress(line: string): void
  clearProgress(): void
  /** Width of stdout in columns, null where it is no terminal. */
  columns: number | null
  isColorful: boolean
}

export function openTerminal(): Terminal {
  const { stdout, stderr, env } = process
  let hasProgress = false
  for (const stream of [stdout, stderr]) stream.on('error', leaveQuietly)

  const clearProgress = () => {
    if (hasProgress) stderr.write('\r\x1b[K')
    hasProgress = false
  }

  return {
    write: (text) => new Promise((resolve) => void stdout.write(text, () => resolve())),
    note(line) {
      clearProgress()
      stderr.write(`${line}\n`)
    },
    progress(line) {
      if (!stderr.isTTY) return
      hasProgress = true
      stderr.write(`\r\x1b[K${line}`)
    },
    clearProgress,
    columns: stdout.isTTY ? (stdout.columns ?? 80) : null,
    isColorful: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
  }
}

/** `| head` closed the pipe: the reader has what it wants. */
function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
}
