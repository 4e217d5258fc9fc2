import type { ParsedFile } from '../log/parsed-file.ts'
import type { Problems } from '../problems/problems.ts'
import { readSessionHead } from './read-session-head.ts'
import { toFileFormat } from './to-file-format.ts'

interface DamagedContent {
  path: string
  sizeBytes: number
  /** The first KB of the file: they may tell which session it is. */
  head: Uint8Array
  problems: Problems
}

/** A file of which nothing could be made but, perhaps, its first fields; `problems` say why (contract rule 7). */
export function toDamagedFile({ path, sizeBytes, head, problems }: DamagedContent): ParsedFile {
  const { sessionId, projectHash, firstStartTime, startTime, lastUpdated, kind } = readSessionHead(head)
  return {
    path,
    format: toFileFormat(path),
    sizeBytes,
    header: {
      sessionId,
      projectHash,
      firstStartTime,
      startTime,
      lastUpdated,
      kind,
      summary: null,
      directories: [],
    },
    messages: [],
    buried: false,
    drawnKeys: null,
    resumedKeys: [],
    knownIds: new Set(),
    isStub: true,
    endsWithCompress: false,
    isDamaged: true,
    issues: problems.issues,
    drift: problems.drift,
  }
}
