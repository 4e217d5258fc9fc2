import type { Trial } from './trial.ts'

/** One kind of misfortune. */
export interface FaultPart {
  name: string
  /** In a sentence, for the page of documentation and the table. */
  does: string
  /** What it cannot do without. */
  needs: readonly Need[]
  run: (trial: Trial) => Promise<void>
}

export type Need = 'linux' | 'user namespace' | 'strace'
