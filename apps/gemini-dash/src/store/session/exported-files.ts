import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import type { Depth, ExportFormat } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import type { Redaction } from '../../export/redact-message.ts'
import { endingOf } from '../../export/target/export-name.ts'
import type { SessionContent } from './session-content.ts'
import { UnreadSession } from './unread-session.ts'

/** How sessions leave. */
export interface ExportHow {
  format: ExportFormat
  depth: Depth
  /** null: as they are. */
  redaction: Redaction | null
  version: string
  /** Whose clocks it shows, where it shows any. */
  zone: string
  /** Several files may be written for one session: not to stdout. */
  isBesideAllowed: boolean
}

/** One file that is written for a session. */
export interface ExportedFile {
  /** With `/` between folders. */
  name: string
  time: Date
  pieces: () => AsyncIterable<string | Uint8Array>
  /** What belongs to it: pictures, in a folder beside it. */
  beside: () => AsyncIterable<ExportedFile>
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
  const { format, depth, redaction } = how
  const time = new Date(session.endTime ?? session.startTime ?? 0)
  if (format === 'raw') {
    const folder = session.files.length === 1 ? '' : `${name}/`
    return content.leaving.files(session).map(({ path, absolutePath }) => ({
      name: `${folder}${basename(path)}`,
      time,
      pieces: () => bytesOf(absolutePath),
      beside: nothing,
    }))
  }
  // what is redacted leaves pictures by their names
  const hasPictures = format === 'markdown' && redaction === null && how.isBesideAllowed
  const pictureFolder = `${name}.files`
  const asked = { ...how, format, pictureFolder: hasPictures ? encodeURI(pictureFolder) : null }
  const pieces = async function* () {
    for await (const piece of content.leaving.export(session.key, asked)) {
      redacted.changes += piece.changes
      redacted.leftOut += piece.leftOut
      yield piece.text
    }
  }
  const pictures = async function* (): AsyncGenerator<ExportedFile> {
    for (const picture of await content.leaving.pictures(session.key, depth, null)) {
      const bytes = async function* () {
        const [found] = await content.leaving.pictures(session.key, depth, picture.name)
        yield Buffer.from(found?.data ?? '', 'base64')
      }
      yield { name: `${pictureFolder}/${picture.name}`, time, pieces: bytes, beside: nothing }
    }
  }
  return [{ name: `${name}${endingOf(format)}`, time, pieces, beside: hasPictures ? pictures : nothing }]
}

/** @throws UnreadSession */
async function* bytesOf(absolutePath: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(absolutePath)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new UnreadSession(code === 'ENOENT' || code === 'ENOTDIR' ? null : code)
  }
}

async function* nothing(): AsyncGenerator<ExportedFile> {}
