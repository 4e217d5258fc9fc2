/** 1: it could not be done. 2: it was asked for in a way that means nothing. */
export type FailureCode = 1 | 2

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
