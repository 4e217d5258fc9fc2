import type { Session } from '../../model/session.ts'
import { groupFiles } from '../files/group-files.ts'
import { readSessionPath } from '../files/read-session-path.ts'
import type { StitchFile } from '../files/stitch-file.ts'
import { stitchGroup } from './stitch-group.ts'

/**
 * The sessions behind any number of parsed files, for those without a disk: a page to which a `.gemini` folder was
 * dropped, an archive. Each folder below `tmp/` counts as a project of its own; what `gemini-sessions/node` reads also
 * knows which folders are one project.
 */
export function stitchFiles(files: Iterable<StitchFile>): Session[] {
  const grouped = [...files].map((file) => ({
    file,
    path: file.parsed.path,
    projectKey: readSessionPath(file.parsed.path).projectFolder,
    sessionId: file.parsed.header.sessionId,
    projectHash: file.parsed.header.projectHash,
    movedFrom: file.parsed.header.movedFrom,
    isKept: file.kept !== undefined,
  }))
  return [...groupFiles(grouped).values()].flatMap((members) => stitchGroup(members.map(({ file }) => file)))
}
