import { createContext } from 'react'

/** Letters to mark wherever they stand, or a word that is marked only where it stands whole. */
export type HitTerm = string | { word: string }

/** What to mark in everything below: what the find has found. Empty almost everywhere. */
export const HitContext = createContext<readonly HitTerm[]>([])

/** What a tool of the session looked for, in everything below: marked where it found it. */
export const ToolMatchContext = createContext<readonly string[]>([])
