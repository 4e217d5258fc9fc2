import type { FailureFate } from 'gemini-sessions'

/** The three fates of a failed call, for display. */
export const FATE_WORDS: Readonly<Record<FailureFate, string>> = {
  laterSucceeded: 'later succeeded',
  stillFailing: 'still failing',
  neverRerun: 'never rerun',
}
