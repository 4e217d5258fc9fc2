import type { RestorePoint } from '../../model/neighbours.ts'
import type { FoundFile } from './found-file.ts'
import { readPiece } from './read-piece.ts'

/** The first calls of the chat stand here; the file holds a copy of all of it and can be very large. */
const HEAD_BYTES = 64 * 1024
/** Commit and prompt id are the last two fields. */
const TAIL_BYTES = 4 * 1024

/** What must be known of a session to say whether a restore point is one of its own. */
export interface RestoringSession {
  sessionId: string
  callIds: ReadonlySet<string>
}

/**
 * What a file-edit restore point says by its name and its ends. Its prompt id is `<sessionId>########<n>`; without one,
 * the calls of the chat that it copies tell. null: it belongs to another session.
 */
export function readRestorePoint(found: FoundFile, session: RestoringSession): RestorePoint | null {
  const tail = readPiece(found, -TAIL_BYTES) ?? ''
  const scope = scopeOf(found, tail, session)
  if (scope === null) return null
  return { scope, file: found.file, ...readName(found.place), commit: lastText(tail, 'commitHash') }
}

function scopeOf(
  found: FoundFile,
  tail: string,
  { sessionId, callIds }: RestoringSession,
): RestorePoint['scope'] | null {
  const owner = /^(.+)#{8}\d+$/.exec(lastText(tail, 'messageId') ?? '')?.[1]
  if (owner !== undefined) return owner === sessionId ? 'session' : null
  const calls = [...(readPiece(found, HEAD_BYTES) ?? '').matchAll(/"callId":\s*"([^"\\]+)"/g)]
  if (calls.length === 0) return 'project'
  return calls.some(([, id]) => callIds.has(id ?? '')) ? 'session' : null
}

/** The last string of this name in the end of a JSON text. */
function lastText(tail: string, field: string): string | null {
  const matches = [...tail.matchAll(new RegExp(`"${field}":\\s*"([^"\\\\]*)"`, 'g'))]
  return matches.at(-1)?.[1] ?? null
}

/** `2026-11-21T20-37-54_297Z-check.mjs-write_file.json` */
const NAME = /(?:^|\/)(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)_(\d{3}Z)-(.*)-([^-/]+)\.json$/

function readName(place: string): Pick<RestorePoint, 'time' | 'toolName' | 'targetName'> {
  const match = NAME.exec(place)
  if (match === null) return { time: null, toolName: null, targetName: null }
  const [, day, hours, minutes, seconds, rest, targetName = null, toolName = null] = match
  const time = `${day}${hours}:${minutes}:${seconds}.${rest}`
  return { time: Number.isNaN(Date.parse(time)) ? null : time, toolName, targetName }
}
