import type { ExportFormat } from '@gemini-dash/api'
import { type Change, type RedactOptions, redactValue } from '@gemini-dash/redact'
import type { SessionSummary } from 'gemini-sessions'
import type { ExportHead } from './writer.ts'

/** What is written of the head, redacted: no more, so that a review counts what is in the file. */
export function redactHead(
  head: ExportHead,
  format: ExportFormat,
  options: RedactOptions | null,
): { head: ExportHead; changes: Change[] } {
  if (options === null) return { head, changes: [] }
  const { value, changes } = redactValue(writtenHead(head, format), options)
  // the same fields with other texts
  const { session, segments } = value as ReturnType<typeof writtenHead>
  return {
    head: { ...head, session: { ...head.session, ...session }, ...(segments && { segments }) },
    changes,
  }
}

function writtenHead(
  { session, segments }: ExportHead,
  format: ExportFormat,
): { session: Partial<SessionSummary>; segments?: ExportHead['segments'] } {
  const { title, project, files } = session
  if (format === 'markdown') return { session: { title, project } }
  return format === 'vac' ? { session: { title, project, files }, segments } : { session, segments }
}
