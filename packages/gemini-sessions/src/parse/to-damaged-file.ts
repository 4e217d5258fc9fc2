import type { ParsedFile } from './parsed-file.ts'
import type { Problems } from './problems.ts'
import { readSessionHead } from './read-session-head.ts'
import { toFileFormat } from './to-file-format.ts'

/** Enough of an unreadable file to learn from its first fields which session it is. */
const HEAD_BYTES = 16 * 1024

interface DamagedContent {
  path: string
  sizeBytes: number
  /** What of the file is still at hand; its start is enough. */
  bytes: Uint8Array
  problems: Problems
}

/** A file of which nothing could be made but, perhaps, its first fields; `problems` say why (contract rule 7). */
export function toDamagedFile({ path, sizeBytes, bytes, problems }: DamagedContent): ParsedFile {
  const { sessionId, projectHash, startTime, lastUpdated, kind } = readSessionHead(
    bytes.subarray(0, HEAD_BYTES),
  )
  return {
    path,
    format: toFileFormat(path),
    sizeBytes,
    header: {
      sessionId,
      projectHash,
      firstStartTime: startTime,
      startTime,
      lastUpdated,
      kind,
      summary: null,
      directories: [],
    },
    messages: [],
    buried: false,
    drawnKeys: null,
    knownIds: new Set(),
    isStub: true,
    endsWithCompress: false,
    isDamaged: true,
    issues: problems.issues,
    drift: problems.drift,
  }
}
