import { createContext } from 'react'

/** Which figure is to be explained: the sums of a session or a turn, or one call. */
export type Explained =
  | { kind: 'session' }
  | { kind: 'turn'; number: number }
  | { kind: 'call'; messageKey: string }

/** Says how a figure came about; null where nobody can. */
export const ExplainContext = createContext<((figure: Explained) => void) | null>(null)
