import type { Trial } from './trial.ts'

/** One kind of fault. */
export interface FaultPart {
  name: string
  /** A sentence for the documentation and the table. */
  does: string
  /** Its requirements. */
  needs: readonly Need[]
  run: (trial: Trial) => Promise<void>
}

export type Need = 'linux' | 'user namespace' | 'strace'
