import { apiPaths } from '@gemini-dash/api/paths'
import type { NeighbourFile, PastedImage, Plan, SavedOutput, SessionSummary } from 'gemini-sessions'
import { createContext } from 'react'

export interface NeighbourLinks {
  sessionRef: string
  /** Folder of the project; null where it is not known. */
  root: string | null
  savedOutputs: readonly SavedOutput[]
  images: readonly PastedImage[]
  plans: readonly Plan[]
  /** Rows of other sessions that it leads to. */
  related: readonly SessionSummary[]
}

/** What lies around the session whose messages are drawn below: its project's folder, and files beside it. */
export const NeighbourContext = createContext<NeighbourLinks>({
  sessionRef: '',
  root: null,
  savedOutputs: [],
  images: [],
  plans: [],
  related: [],
})

/** Where a file beside a session is served; `limitBytes`: only so much of its beginning. */
export function neighbourHref(sessionRef: string, file: NeighbourFile, limitBytes?: number): string {
  return apiPaths.neighbourFile(sessionRef, file.id, limitBytes === undefined ? {} : { limit: limitBytes })
}
