import { formatCount } from './format.ts'

/** `7 in the current conversation` of 9 that were ever recorded: the others were rewound, compacted or replaced. null: all of them. */
export function heldNow(recorded: number, live: number): string | null {
  return recorded === live ? null : `${formatCount(live)} in the current conversation`
}
