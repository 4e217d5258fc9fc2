import { apiPaths } from '@gemini-dash/api/paths'
import type { NeighbourFile } from 'gemini-sessions'

/** Where a file beside a session is served; `limitBytes`: only so much of its beginning. */
export function neighbourHref(sessionRef: string, file: NeighbourFile, limitBytes?: number): string {
  return apiPaths.neighbourFile(sessionRef, file.id, limitBytes === undefined ? {} : { limit: limitBytes })
}
