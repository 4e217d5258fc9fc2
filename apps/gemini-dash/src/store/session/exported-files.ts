import { createReadStream } from 'node:fs'
import { posix } from 'node:path'
import type { Depth, ExportFormat } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import { endingOf, exportNames, portableName, UniqueNames } from '../../export/export-name.ts'
import type { Redaction } from '../../export/redact-message.ts'
import type { SessionContent } from './session-content.ts'
import { UnreadSession } from './unread-session.ts'

/** How to export sessions. */
export interface ExportHow {
  format: ExportFormat
  depth: Depth
  /** null: no redaction. */
  redaction: Redaction | null
  version: string
  /** Time zone of the times shown. */
  zone: string
  /** Several files may be written for one session: not to stdout. */
  isBesideAllowed: boolean
}

/** One file written for a session. */
export interface ExportedFile {
  /** With `/` between folders. */
  name: string
  time: Date
  pieces: () => AsyncIterable<string | Uint8Array>
  /** Files that belong to it: pictures, in a folder next to it. */
  beside: () => AsyncIterable<ExportedFile>
}

/** Counts of what was redacted so far. */
export interface Redacted {
  changes: number
  leftOut: number
}

/** The files to write for each of these sessions, by key and in order. No name occurs twice. */
export function exportedFiles(
  content: SessionContent,
  sessions: readonly SessionSummary[],
  how: ExportHow,
  redacted: Redacted = { changes: 0, leftOut: 0 },
): ReadonlyMap<string, ExportedFile[]> {
  const { format } = how
  const names = exportNames(sessions, how.redaction)
  if (format === 'raw') return recordedFiles(content, sessions, names)
  return new Map(
    sessions.map((session) => [
      session.key,
      writtenFiles(content, session, names.get(session.key) ?? session.key, { ...how, format }, redacted),
    ]),
  )
}

/**
 * The recorded files; those of a session with several files are in a folder named after it. Files with equal names are numbered in the
 * order of their paths, so that the next export gives the same names. A file shared by several sessions is written once.
 */
function recordedFiles(
  content: SessionContent,
  sessions: readonly SessionSummary[],
  names: ReadonlyMap<string, string>,
): ReadonlyMap<string, ExportedFile[]> {
  const unique = new UniqueNames()
  const nameOf = new Map<string, string>()
  const files = new Map<string, ExportedFile[]>(sessions.map(({ key }) => [key, []]))
  const recorded = sessions.flatMap((session) =>
    content.exports.files(session).map((file) => ({ session, ...file })),
  )
  const byPath = recorded.toSorted((a, b) => (`${a.home}/${a.path}` < `${b.home}/${b.path}` ? -1 : 1))
  for (const { session, path, absolutePath } of byPath) {
    if (nameOf.has(absolutePath)) continue
    const folder = session.files.length === 1 ? '' : `${names.get(session.key) ?? session.key}/`
    const { name, ext } = posix.parse(portableName(posix.basename(path)))
    nameOf.set(absolutePath, unique.add(`${folder}${name}`, ext))
  }
  for (const { session, absolutePath } of recorded) {
    const name = nameOf.get(absolutePath)
    if (name === undefined || !nameOf.delete(absolutePath)) continue
    files.get(session.key)?.push({
      name,
      time: timeOf(session),
      pieces: () => bytesOf(absolutePath),
      beside: nothing,
    })
  }
  return files
}

function timeOf({ endTime, startTime }: SessionSummary): Date {
  return new Date(endTime ?? startTime ?? 0)
}

/** The files generated for a session: one file, and pictures next to it. */
function writtenFiles(
  content: SessionContent,
  session: SessionSummary,
  name: string,
  how: ExportHow & { format: Exclude<ExportFormat, 'raw'> },
  redacted: Redacted,
): ExportedFile[] {
  const { format, depth, redaction } = how
  const time = timeOf(session)
  // a redacted export refers to pictures by name only
  const hasPictures = format === 'markdown' && redaction === null && how.isBesideAllowed
  const pictureFolder = `${name}.files`
  const asked = { ...how, pictureFolder: hasPictures ? encodeURI(pictureFolder) : null }
  const pieces = async function* () {
    for await (const piece of content.exports.export(session.key, asked)) {
      redacted.changes += piece.changes
      redacted.leftOut += piece.leftOut
      yield piece.text
    }
  }
  const pictures = async function* (): AsyncGenerator<ExportedFile> {
    for (const picture of await content.exports.pictures(session.key, depth, null)) {
      const bytes = async function* () {
        const [found] = await content.exports.pictures(session.key, depth, picture.name)
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
