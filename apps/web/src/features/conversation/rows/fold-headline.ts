import type { Superseded } from 'gemini-sessions'
import { formatCount } from '../../../lib/figures/format.ts'
import type { Fold } from './row.ts'

const WAS: Record<Superseded, [one: string, many: string]> = {
  rewound: ['was taken back', 'were taken back'],
  compacted: ['was summarised', 'were summarised'],
  aborted: ['was not answered', 'were not answered'],
  replaced: ['was replaced', 'were replaced'],
}

const OVERWRITTEN = ['was overwritten in its file', 'were overwritten in their file'] as const

/** What a file held before, and was kept of it, is called by that. */
function isOverwritten(messages: Fold['messages']): boolean {
  return messages.length > 0 && messages.every(({ message }) => /\.kept-\d+$/.test(message.source.file))
}

/** `Turn 2 was taken back`, `Turns 1 to 5 were summarised`, `4 messages were replaced`, `Sub-agent`. */
export function foldHeadline({ cause, branch, messages }: Fold): string {
  if (cause === 'agent') return 'Sub-agent'
  const [one, many] = isOverwritten(messages) ? OVERWRITTEN : WAS[cause]
  const turns = branch?.turns ?? null
  if (turns === null) {
    const count = branch?.messages ?? messages.length
    return count === 1 ? `1 message ${one}` : `${formatCount(count)} messages ${many}`
  }
  const { first, last } = turns
  return first === last ? `Turn ${first} ${one}` : `Turns ${first} to ${last} ${many}`
}
