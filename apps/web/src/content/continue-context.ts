import { createContext } from 'react'

/** Says how to go on from before a turn, by its number; null where nobody can. */
export const ContinueContext = createContext<((turn: number) => void) | null>(null)
