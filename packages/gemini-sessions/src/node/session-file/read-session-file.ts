import { closeSync, fstatSync, openSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { ParseIssueCode } from '../../model/parse-issue.ts'
import type { ParsedFile } from '../../parse/log/parsed-file.ts'
import { Problems } from '../../parse/problems/problems.ts'
import { SessionLogReader } from '../../parse/session-file/session-log-reader.ts'
import { toDamagedFile } from '../../parse/session-file/to-damaged-file.ts'
import { readChunks } from '../files/read-chunks.ts'
import { faultCode } from '../files/read-fault.ts'
import { READ_ONLY_FLAGS } from '../files/read-only-flags.ts'
import { explainSystemError } from '../files/sessions-error.ts'
import type { GiveWay } from '../files/time-slice.ts'
import type { DiscoveredFile } from '../scan/scan.ts'

/** Up to 0.38 the CLI truncates and rewrites the whole file at every event; a reader can meet it half-written. */
const RETRY_DELAY_MS = 50
const FRESH_MS = 10_000

/** Reads and parses a session file. null: it is gone. What cannot be read is a damaged file that says why. */
export function readSessionFile(file: DiscoveredFile, giveWay?: GiveWay): Promise<ParsedFile | null> {
  return readWith(file, () => new SessionLogReader(file.path), giveWay)
}

/** The same with readers of one's own, one for each attempt. */
export async function readWith(
  file: DiscoveredFile,
  createReader: () => SessionLogReader,
  giveWay?: GiveWay,
): Promise<ParsedFile | null> {
  try {
    const { parsed, isFresh } = await readOnce(file, createReader(), giveWay)
    if (!isFresh || !isHalfWritten(parsed)) return parsed
    await setTimeout(RETRY_DELAY_MS)
    return (await readOnce(file, createReader(), giveWay)).parsed
  } catch (error) {
    const reason = explainSystemError(error)
    return reason === null ? null : unreadableFile(file, reason, faultCode(error))
  }
}

async function readOnce(
  file: DiscoveredFile,
  reader: SessionLogReader,
  giveWay?: GiveWay,
): Promise<{ parsed: ParsedFile; isFresh: boolean }> {
  const opened = openSync(file.absolutePath, READ_ONLY_FLAGS)
  try {
    const stats = fstatSync(opened)
    const isFresh = Math.abs(Date.now() - stats.mtimeMs) < FRESH_MS
    if (!stats.isFile()) {
      return { parsed: unreadableFile(file, 'This is no regular file any more.', null), isFresh }
    }
    await readChunks(opened, 0, stats.size, (bytes) => reader.append(bytes), giveWay)
    return { parsed: reader.result(), isFresh }
  } finally {
    closeSync(opened)
  }
}

function isHalfWritten({ format, issues }: ParsedFile): boolean {
  return format === 'json' && issues.some(({ code }) => HALF_WRITTEN.has(code))
}

const HALF_WRITTEN: ReadonlySet<ParseIssueCode> = new Set(['truncated-json', 'nothing-whole', 'empty-file'])

/**
 * A file that the system does not let us read, as a row that says so (contract rule 7). `errno`: the code of a fault that
 * may go away; null where it will not.
 */
function unreadableFile(
  { path, sizeBytes }: DiscoveredFile,
  reason: string,
  errno: string | null,
): ParsedFile {
  const problems = new Problems()
  problems.addIssue('unreadable', '', errno === null ? { reason } : { reason, errno })
  return toDamagedFile({ path, sizeBytes, head: new Uint8Array(), problems })
}
