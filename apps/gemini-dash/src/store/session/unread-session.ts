import { explainFault } from 'gemini-sessions/node'

/** What was asked for lies in a file that the system does not let us read just now. */
export class UnreadSession extends Error {
  override readonly name = 'UnreadSession'

  /** @param code of the system */
  constructor(code: string) {
    super(`A file of this session cannot be read just now. ${explainFault(code)} It is tried again.`)
  }
}
