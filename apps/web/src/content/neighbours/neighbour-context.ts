import type { PastedImage, Plan, SavedOutput } from 'gemini-sessions'
import { createContext } from 'react'

export interface NeighbourLinks {
  sessionRef: string
  /** Folder of the project; null where it is not known. */
  root: string | null
  savedOutputs: readonly SavedOutput[]
  images: readonly PastedImage[]
  plans: readonly Plan[]
}

/** What lies around the session whose messages are drawn below: its project's folder, and files beside it. */
export const NeighbourContext = createContext<NeighbourLinks>({
  sessionRef: '',
  root: null,
  savedOutputs: [],
  images: [],
  plans: [],
})
