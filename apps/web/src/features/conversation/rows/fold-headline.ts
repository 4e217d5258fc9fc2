import type { Superseded } from 'gemini-sessions'
import type { Fold } from './row.ts'

const WAS: Record<Superseded, [one: string, many: string]> = {
  rewound: ['was rewound', 'were rewound'],
  compacted: ['was compacted', 'were compacted'],
  aborted: ['was not answered', 'were not answered'],
  replaced: ['was replaced', 'were replaced'],
}

/** `Turn 2 was rewound`, `Turns 1 to 5 were compacted`, `4 messages were replaced`, `Sub-agent`. */
export function foldHeadline(fold: Fold): string {
  if (fold.cause === 'agent') return 'Sub-agent'
  const numbers = fold.turns.map((turn) => turn.number)
  const [one, many] = WAS[fold.cause]
  const first = numbers[0]
  const last = numbers.at(-1)
  if (first === undefined || last === undefined) {
    const count = fold.messages.length
    return count === 1 ? `1 message ${one}` : `${count} messages ${many}`
  }
  return first === last ? `Turn ${first} ${one}` : `Turns ${first} to ${last} ${many}`
}
