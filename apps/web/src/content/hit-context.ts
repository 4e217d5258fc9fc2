import { createContext } from 'react'

/** Words to mark in everything below: the query that led to this message. Empty almost everywhere. */
export const HitContext = createContext<readonly string[]>([])
