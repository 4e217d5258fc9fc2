import { createReadStream } from 'node:fs'
import { basename, join } from 'node:path'
import type { Depth, ExportFormat } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import type { Redaction } from '../../export/redact-message.ts'
import { endingOf } from '../../export/target/export-name.ts'
import type { SessionContent } from './session-content.ts'

/** How sessions leave. */
export interface ExportHow {
  format: ExportFormat
  depth: Depth
  /** null: as they are. */
  redaction: Redaction | null
  version: string
}

/** One file that is written for a session. */
export interface ExportedFile {
  /** With `/` between folders. */
  name: string
  time: Date
  pieces: () => AsyncIterable<string | Uint8Array>
}

/** What was taken out of what has left so far. */
export interface Redacted {
  changes: number
  leftOut: number
}

/** One file; the files as they lie, where there are several, in a folder. `name`: of the session, without an ending. */
export function exportedFiles(
  content: SessionContent,
  session: SessionSummary,
  name: string,
  how: ExportHow,
  redacted: Redacted = { changes: 0, leftOut: 0 },
): ExportedFile[] {
  const { format } = how
  const time = new Date(session.endTime ?? session.startTime ?? 0)
  if (format === 'raw') {
    const folder = session.files.length === 1 ? '' : `${name}/`
    return session.files.map(({ home, path }) => ({
      name: `${folder}${basename(path)}`,
      time,
      pieces: () => createReadStream(join(home, path)),
    }))
  }
  const pieces = async function* () {
    for await (const piece of content.export(session.key, { ...how, format })) {
      redacted.changes += piece.changes
      redacted.leftOut += piece.leftOut
      yield piece.text
    }
  }
  return [{ name: `${name}${endingOf(format)}`, time, pieces }]
}
