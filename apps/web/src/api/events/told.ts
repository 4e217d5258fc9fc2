import type { LiveEvent } from '@gemini-dash/api'

/** Why nothing is heard of the server: it does not answer, or this browser is not signed in. */
export type Loss = 'lost' | 'forbidden'

/** What the tab that listens tells the others. `at`: the number of the last change. */
export type Told =
  | { kind: 'event'; at: number; event: LiveEvent }
  | { kind: 'open'; at: number; page: string | null }
  | { kind: 'loss'; loss: Loss }
  /** After a loss it answers calls again, and no events yet: something between may keep those back for good. */
  | { kind: 'answers' }
