import type { ParsedFile } from '../../parse/log/parsed-file.ts'
import type { DiscoveredFile } from '../scan/discovered-file.ts'

/**
 * A file that the system does not let us read, as a row that says so (contract rule 7). `errno`: the code of a fault that
 * may go away; null where it will not.
 */
export function unreadableFile(
  { path, sizeBytes }: DiscoveredFile,
  reason: string,
  errno: string | null,
): ParsedFile {
  return {
    path,
    format: path.includes('.jsonl') ? 'jsonl' : 'json',
    sizeBytes,
    header: {
      sessionId: null,
      projectHash: null,
      firstStartTime: null,
      startTime: null,
      lastUpdated: null,
      kind: null,
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
    issues: [{ code: 'unreadable', at: '', args: errno === null ? { reason } : { reason, errno } }],
    drift: [],
  }
}
