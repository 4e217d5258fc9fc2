import type { Message } from 'gemini-sessions'

type Cause = NonNullable<Message['superseded']>

/** What became of a message that the CLI's final state no longer holds, in the words of the whole page. */
export const SUPERSEDED_WORD: Record<Cause, string> = {
  rewound: 'taken back',
  compacted: 'summarised',
  aborted: 'not answered',
  replaced: 'replaced',
}

/** The same for who does not know the CLI's words. */
export const SUPERSEDED_MEANING: Record<Cause, string> = {
  rewound: 'Taken back with /rewind: no longer part of the conversation, and billed all the same',
  compacted:
    'Its place was taken by a summary, when the context was compressed; it had been sent and billed before',
  aborted:
    'The request failed or was stopped, and the CLI dropped it; what had been sent may have been billed',
  replaced: 'The CLI wrote another version in its place; both were billed',
}
