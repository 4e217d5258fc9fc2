import { createContext } from 'react'

/** Shows how to branch off before a turn, by its number; null if unavailable. */
export const ContinueContext = createContext<((turn: number) => void) | null>(null)
