import type { Message } from 'gemini-sessions'

/** Struck out on the page. What was compacted or replaced still stands: the CLI only forgot it. */
export function isTakenBack(superseded: Message['superseded']): boolean {
  return superseded === 'rewound' || superseded === 'aborted'
}
