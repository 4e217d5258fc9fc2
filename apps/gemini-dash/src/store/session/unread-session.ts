import { explainFault } from 'gemini-sessions/node'

/** The answer is in a file that is gone, or that cannot be read at the moment. */
export class UnreadSession extends Error {
  override readonly name = 'UnreadSession'
  readonly isGone: boolean

  /** @param code from the system; null: the file was deleted or renamed since it was found */
  constructor(code: string | null) {
    super(
      code === null
        ? 'A file of this session was just deleted or renamed. Try again in a moment.'
        : `A file of this session can’t be read. ${explainFault(code)} gemini-dash tries again.`,
    )
    this.isGone = code === null
  }
}
