import type { Message } from 'gemini-sessions'

/** What became of a message that the CLI's final state no longer holds, in the words of the whole page. */
export const SUPERSEDED_WORD: Record<NonNullable<Message['superseded']>, string> = {
  rewound: 'rewound',
  compacted: 'compacted',
  aborted: 'not answered',
  replaced: 'replaced',
}
