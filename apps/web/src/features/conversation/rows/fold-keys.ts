import type { Fold } from './row.ts'

/** Keys of the messages that carry whether a fold is open: its first, and all that are loaded. */
export function foldKeys({ branch, messages }: Fold): string[] {
  const loaded = messages.map(({ message }) => message.key)
  return branch === null ? loaded : [branch.firstKey, ...loaded]
}
