import { createHash } from 'node:crypto'
import { readSessionPath } from '../../derive/files/read-session-path.ts'
import type { PlannedFile } from '../../derive/identity/plan-keys.ts'
import type { DiscoveredFile } from '../scan/scan.ts'
import type { FileHead } from './read-heads.ts'

/** What `planKeys` has to know about a file. `projectHash`: of the project whose folder it is in. */
export function toPlannedFile(
  { home, path }: Pick<DiscoveredFile, 'home' | 'path'>,
  head: FileHead | undefined,
  { groupId, projectHash }: { groupId: string; projectHash: string | null },
): PlannedFile {
  const { stem, nameId } = readSessionPath(path)
  const sessionId = head?.sessionId ?? null
  const firstStartTime = head?.firstStartTime ?? null
  return {
    home,
    path,
    groupId,
    start: startKey(sessionId ?? nameId, firstStartTime ?? stem),
    isCertain: sessionId !== null && firstStartTime !== null,
    isProven: projectHash !== null && head?.projectHash === projectHash,
  }
}

/** `sessionKey` by the SHA-256 of Node: every start asks for those of all files. */
function startKey(sessionId: string, birth: string): string {
  const digest = createHash('sha256').update(`${sessionId}\n${birth}`).digest('base64url')
  return digest.slice(0, 12).replace(/^-/, '_')
}
