/** 1: failed, or nothing found. 2: wrong usage. 3: answered, but some files could not be read. */
export const FAILURE_CODES = [1, 2, 3] as const
export type FailureCode = (typeof FAILURE_CODES)[number]

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
