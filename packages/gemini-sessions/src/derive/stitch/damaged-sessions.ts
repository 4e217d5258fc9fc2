import type { Session } from '../../model/session.ts'
import { isSubagentFile } from '../files/is-subagent-file.ts'
import { readSessionPath } from '../files/read-session-path.ts'
import type { StitchFile } from '../files/stitch-file.ts'
import { buildSession } from './build-session.ts'
import { toSessionFile } from './to-session-file.ts'

/**
 * A row for each damaged file (contract rule 7), with the whole messages before the cut; copies of one such file share a
 * row. A cut copy of a healthy session stays apart: it hides no other, and what it repeats counts nothing.
 */
export function damagedSessions(files: readonly StitchFile[]): Session[] {
  const copies = new Map<string, StitchFile[]>()
  for (const file of files) {
    const { parsed } = file
    const likeness = `${nameOf(file)}\n${parsed.format}\n${parsed.sizeBytes}`
    copies.set(likeness, [...(copies.get(likeness) ?? []), file])
  }
  return [...copies.values()].map((all) => {
    const isSubagent = all.some(({ parsed }) => isSubagentFile(parsed))
    const session = buildSession({ kind: isSubagent ? 'subagent' : 'main', parts: [], stubs: all })
    return { ...session, files: all.map((each) => toSessionFile(each, 'damaged')) }
  })
}

/** What the head of a file says of its session; where it says too little, the file's own name. */
function nameOf({ parsed }: StitchFile): string {
  const { sessionId, firstStartTime } = parsed.header
  return sessionId === null || firstStartTime === null
    ? readSessionPath(parsed.path).stem
    : `${sessionId}\n${firstStartTime}`
}
