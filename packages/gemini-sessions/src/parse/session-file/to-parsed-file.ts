import { liftMessages } from '../lift/lift-messages.ts'
import type { LiftedEntries } from '../lift/lifted-entries.ts'
import type { ParsedFile, SessionHeader } from '../log/parsed-file.ts'
import type { Problems } from '../problems/problems.ts'
import { isCompressMark, isConversation } from '../replay/entry-kinds.ts'
import type { LogEntry } from '../row/log-entry.ts'
import { toFileFormat } from './to-file-format.ts'

interface FileContent {
  path: string
  sizeBytes: number
  header: SessionHeader
  entries: readonly LogEntry[]
  live: readonly LogEntry[]
  /** The last replay state with a human or model message. */
  lastConversation: readonly LogEntry[]
  knownIds: ReadonlySet<string>
  isDamaged?: boolean
  problems: Problems
  /** What was made of the entries last. */
  lifted?: LiftedEntries | null
}

/** Lifts what was replayed into the result that stitching works on. */
export function toParsedFile(content: FileContent): ParsedFile {
  const { path, header, entries, live, isDamaged = false, problems, lifted = null } = content
  const isSubagentFile = header.kind === 'subagent'
  const { messages, byEntry } = liftMessages({ path, isSubagentFile, entries, live, problems, lifted })
  const isStub = !entries.some(isConversation)
  const isBuried = !isStub && !live.some(isConversation)
  const format = toFileFormat(path)
  return {
    path,
    format,
    sizeBytes: content.sizeBytes,
    header,
    messages,
    buried: isBuried,
    drawnKeys: isBuried ? content.lastConversation.flatMap((entry) => byEntry.get(entry)?.key ?? []) : null,
    resumedKeys: entries.flatMap((entry) => (entry.opensRun ? (byEntry.get(entry)?.key ?? []) : [])),
    knownIds: content.knownIds,
    isStub,
    endsWithCompress: format === 'json' && isCompressMark(live.at(-1)),
    isDamaged,
    issues: problems.issues,
    drift: problems.drift,
  }
}
