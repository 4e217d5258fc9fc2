import type { PastedImage, SavedOutput } from 'gemini-sessions'
import { createContext } from 'react'

export interface NeighbourLinks {
  sessionRef: string
  savedOutputs: readonly SavedOutput[]
  images: readonly PastedImage[]
}

/** The files beside the session whose messages are drawn below: whole outputs of calls, pictures of prompts. */
export const NeighbourContext = createContext<NeighbourLinks>({
  sessionRef: '',
  savedOutputs: [],
  images: [],
})
