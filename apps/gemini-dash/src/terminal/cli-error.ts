/** 1: failed, or nothing found. 2: wrong usage. 3: answered, but some files could not be read. */
export const FAILURE_CODES = [1, 2, 3] as const
type FailureCode = (typeof FAILURE_CODES)[number]

/** A failure that explains itself: one sentence, and what to do about it. Printed without a stack. */
export class CliError extends Error {
  readonly exitCode: FailureCode
  readonly hint: string | null

  constructor(exitCode: FailureCode, sentence: string, hint: string | null = null) {
    super(sentence)
    this.exitCode = exitCode
    this.hint = hint
  }
}

/** Where a command writes: answers to stdout, everything else to stderr. */
export interface Terminal {
  /** Resolves once the text is handed over, which waits for a slow reader. */
  write(text: string | Uint8Array): Promise<void>
  /** A line for the user, never part of the answer. */
  note(line: string): void
  /** A line that is overwritten by the next; no output if stderr is not a terminal. */
  progress(line: string): void
  clearProgress(): void
  /** Width of stdout in columns; null if it is not a terminal. */
  columns: number | null
  isColorful: boolean
}

export function openTerminal(): Terminal {
  const { stdout, stderr, env } = process
  let hasProgress = false
  stdout.on('error', (error) => failToWrite(error))
  // Nobody is left to read the output.
  stderr.on('error', (error) => process.exit(isClosed(error) ? 0 : 1))

  const clearProgress = () => {
    if (hasProgress) stderr.write('\r\x1b[K')
    hasProgress = false
  }

  return {
    write: (text) =>
      new Promise((resolve) => {
        stdout.write(text, (error) => {
          if (!error) resolve()
        })
      }),
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
    columns: stdout.isTTY ? stdout.columns || 80 : null,
    isColorful: wantsColor(env) ?? (stdout.isTTY === true && env.TERM !== 'dumb'),
  }
}

/** The two color variables that programs agree on; FORCE_COLOR takes precedence, as in Node.js. undefined if neither is set. */
function wantsColor({ FORCE_COLOR, NO_COLOR }: NodeJS.ProcessEnv): boolean | undefined {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return NO_COLOR ? false : undefined
}

/** `| head` closed the pipe: the reader has what it wants. */
function isClosed(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EPIPE'
}

function failToWrite(error: NodeJS.ErrnoException): never {
  if (isClosed(error)) process.exit(0)
  const reason = REASONS[error.code ?? ''] ?? 'the system refuses it'
  throw new CliError(
    1,
    `The output could not be written: ${reason} (${error.code ?? error.message}).`,
    'The output is incomplete. Write it somewhere else.',
  )
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the destination is full',
  EDQUOT: 'the disk quota of this user is used up',
  EIO: 'the disk or the terminal reports an error',
}

/** `store.js:12:34`, where an error was thrown; null if unknown. */
export function placeInCode(error: unknown): string | null {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return /([\w.-]+\.(?:js|ts):\d+:\d+)/.exec(stack)?.[1] ?? null
}
