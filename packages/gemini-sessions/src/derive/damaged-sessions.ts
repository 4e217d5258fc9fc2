import type { Session } from '../model/session.ts'
import { buildSession } from './build-session.ts'
import { isSubagentFile } from './is-subagent-file.ts'
import { readSessionPath } from './read-session-path.ts'
import type { StitchFile } from './stitch-file.ts'
import { toSessionFile } from './to-session-file.ts'

/** A row for each file of which nothing could be made (contract rule 7); copies of one such file share a row. */
export function damagedSessions(files: readonly StitchFile[]): Session[] {
  const copies = new Map<string, StitchFile[]>()
  for (const file of files) {
    const { parsed } = file
    const likeness = `${readSessionPath(parsed.path).stem}\n${parsed.format}\n${parsed.sizeBytes}`
    copies.set(likeness, [...(copies.get(likeness) ?? []), file])
  }
  return [...copies.values()].map((all) => {
    const isSubagent = all.some(({ parsed }) => isSubagentFile(parsed))
    const session = buildSession({ kind: isSubagent ? 'subagent' : 'main', parts: [], stubs: all })
    return { ...session, files: all.map((each) => toSessionFile(each, 'damaged')) }
  })
}
