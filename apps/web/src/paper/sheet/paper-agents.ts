import type { LeavingAgent } from '@gemini-dash/api'
import { createContext } from 'react'

/** The conversations of sub-agents that leave inside their calls, by key. */
export const PaperAgents = createContext<ReadonlyMap<string, LeavingAgent>>(new Map())
