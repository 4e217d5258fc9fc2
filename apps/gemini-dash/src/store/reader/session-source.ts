import type { PriceOverrides } from '@gemini-dash/pricing'
import type { DiscoveredFile, ProjectPlace } from 'gemini-sessions/node'

/** Where sessions come from: files that are read together, or a project's prompt logs and saved chats. */
export type SessionSource = GroupSource | NeighbourSource

export interface GroupSource {
  kind: 'group'
  id: string
  /** Changes when any of the files does. */
  fingerprint: string
  files: DiscoveredFile[]
  prices?: PriceOverrides
}

export interface NeighbourSource {
  kind: 'neighbours'
  id: string
  fingerprint: string
  places: ProjectPlace[]
  projectKey: string
  /** sessionIds that session files of the project hold. */
  knownIds: string[]
}
