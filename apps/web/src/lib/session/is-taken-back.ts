import type { Message, Turn } from 'gemini-sessions'

/** Struck out on the page. What was compacted or replaced still stands: the CLI only forgot it. */
export function isTakenBack(superseded: Message['superseded']): boolean {
  return superseded === 'rewound' || superseded === 'aborted'
}

/** What the CLI dropped because its request failed, no person took back. */
export function isTurnTakenBack({ superseded, failure }: Pick<Turn, 'superseded' | 'failure'>): boolean {
  return failure === null && isTakenBack(superseded)
}
