import type { PastedImage, Plan, SavedOutput } from 'gemini-sessions'
import { createContext } from 'react'

export interface NeighbourLinks {
  sessionRef: string
  savedOutputs: readonly SavedOutput[]
  images: readonly PastedImage[]
  plans: readonly Plan[]
}

/** The files beside the session whose messages are drawn below: whole outputs of calls, pictures of prompts, plans. */
export const NeighbourContext = createContext<NeighbourLinks>({
  sessionRef: '',
  savedOutputs: [],
  images: [],
  plans: [],
})
