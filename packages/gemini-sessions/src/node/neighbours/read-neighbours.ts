import { closeSync, readSync } from 'node:fs'
import { z } from 'zod'
import { readPromptLog } from '../../derive/loose/read-prompt-log.ts'
import { findTypedOnly } from '../../derive/neighbours/find-typed-only.ts'
import type { Neighbours, Plan, RestorePoint, TrackerTask, TypedOnly } from '../../model/neighbours.ts'
import type { Session } from '../../model/session.ts'
import { readSmallFile } from '../files/read-bytes.ts'
import { MAX_LOG_BYTES, promptLogsOf } from '../loose/read-prompt-logs.ts'
import type { ProjectPlace } from '../scan/scan.ts'
import type { FoundFile } from './found-file.ts'
import { listNeighbours } from './list-neighbours.ts'
import { openNeighbour } from './open-neighbour.ts'

/** The first calls of the chat stand here; the file holds a copy of all of it and can be very large. */
const HEAD_BYTES = 64 * 1024
/** Commit and prompt id are the last two fields. */
const TAIL_BYTES = 4 * 1024
/** `2026-11-21T20-37-54_297Z-check.mjs-write_file.json` */
const NAME = /(?:^|\/)(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)_(\d{3}Z)-(.*)-([^-/]+)\.json$/

const MAX_TASK_BYTES = 256 * 1024
const text = z.string().catch('')
const storedTaskSchema = z.object({
  id: text,
  title: text,
  description: text,
  type: text,
  status: text,
  parentId: z.string().nullable().catch(null),
  dependencies: z.array(z.unknown()).catch([]),
})

const MAX_PLAN_BYTES = 64 * 1024

/** Of each kind no more than this are read: the newest. */
const MAX_FILES = 200

/**
 * Everything that the CLI keeps of a session outside its file. `places`: all folders of its project, in every home;
 * `siblings`: the sessions of the same sessionId, this one among them.
 */
export function readNeighbours(
  places: readonly ProjectPlace[],
  session: Session,
  siblings: readonly Session[],
): Neighbours {
  const list = listNeighbours(places, session)
  let leftOut = 0
  const newest = (files: readonly FoundFile[]) => {
    leftOut += Math.max(files.length - MAX_FILES, 0)
    return [...files].sort(newestFirst).slice(0, MAX_FILES).sort(byPlace)
  }
  const ownTasks = newest(list.ownTasks)
  const plans = [
    ...newest(list.ownPlans).flatMap((found) => readPlan(found, 'session') ?? []),
    ...newest(list.sharedPlans).flatMap((found) => readPlan(found, 'project') ?? []),
  ]
  const tasks = [
    ...ownTasks.flatMap((found) => readTrackerTask(found, 'session') ?? []),
    ...newest(list.sharedTasks).flatMap((found) => readTrackerTask(found, 'project') ?? []),
  ]
  const unreadable = ownTasks.filter(({ file }) => !tasks.some((task) => task.file.id === file.id))
  const callIds = new Set(session.messages.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id)))
  const restoring = { sessionId: session.sessionId, callIds }
  return {
    savedOutputs: list.savedOutputs,
    images: list.images,
    plans,
    tasks,
    restorePoints: newest(list.restorePoints).flatMap((found) => readRestorePoint(found, restoring) ?? []),
    typedOnly: typedOnly(places, session, siblings),
    otherFiles: [...unreadable, ...newest(list.otherFiles)].map(({ file }) => file),
    leftOut,
  }
}

function newestFirst(a: FoundFile, b: FoundFile): number {
  return b.file.modifiedTime.localeCompare(a.file.modifiedTime)
}

function byPlace(a: FoundFile, b: FoundFile): number {
  return a.place < b.place ? -1 : 1
}

/** A session that is known from the log alone has nothing else there; a saved chat and a sub-agent were not typed. */
function typedOnly(
  places: readonly ProjectPlace[],
  session: Session,
  siblings: readonly Session[],
): TypedOnly[] {
  if (session.kind !== 'main') return []
  const entries = promptLogsOf(places).flatMap(({ path, absolutePath }) => {
    const text = readSmallFile(absolutePath, MAX_LOG_BYTES)
    return text === null ? [] : readPromptLog({ path, text }).entries
  })
  return findTypedOnly(
    session,
    siblings.filter(({ sessionId, kind }) => sessionId === session.sessionId && kind === 'main'),
    entries,
  )
}

/** A plan that plan mode wrote: Markdown. */
function readPlan(found: FoundFile, scope: Plan['scope']): Plan | null {
  const text = readPiece(found, MAX_PLAN_BYTES)
  return text === null
    ? null
    : { scope, file: found.file, text, isCut: found.file.sizeBytes > MAX_PLAN_BYTES }
}

/** One task of the tracker (`<6 hex>.json`, 0.32+). null if the file is no JSON object. */
function readTrackerTask(found: FoundFile, scope: TrackerTask['scope']): TrackerTask | null {
  const stored = storedTaskSchema.safeParse(parse(readPiece(found, MAX_TASK_BYTES)))
  if (!stored.success) return null
  const { id, title, dependencies, ...rest } = stored.data
  const name = found.place.slice(found.place.lastIndexOf('/') + 1).replace(/\.json$/, '')
  return {
    scope,
    file: found.file,
    ...rest,
    id: id === '' ? name : id,
    title: title === '' ? name : title,
    dependencies: dependencies.filter((dependency) => typeof dependency === 'string'),
  }
}

function parse(json: string | null): unknown {
  try {
    return JSON.parse(json ?? '')
  } catch {
    return undefined
  }
}

/** What must be known of a session to say whether a restore point is one of its own. */
interface RestoringSession {
  sessionId: string
  callIds: ReadonlySet<string>
}

/**
 * What a file-edit restore point says by its name and its ends. Its prompt id is `<sessionId>########<n>`; without one,
 * the calls of the chat that it copies tell. null: it belongs to another session.
 */
function readRestorePoint(found: FoundFile, session: RestoringSession): RestorePoint | null {
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

function readName(place: string): Pick<RestorePoint, 'time' | 'toolName' | 'targetName'> {
  const match = NAME.exec(place)
  if (match === null) return { time: null, toolName: null, targetName: null }
  const [, day, hours, minutes, seconds, rest, targetName = null, toolName = null] = match
  const time = `${day}${hours}:${minutes}:${seconds}.${rest}`
  return { time: Number.isNaN(Date.parse(time)) ? null : time, toolName, targetName }
}

/** Text of the first (or, with a negative number, last) so many bytes of a listed file; null if it cannot be read. */
function readPiece(found: FoundFile, bytes: number): string | null {
  const opened = openNeighbour(found)
  if (opened === null) return null
  const { descriptor, sizeBytes } = opened
  try {
    const length = Math.min(Math.abs(bytes), sizeBytes)
    const buffer = Buffer.alloc(length)
    const read = readSync(descriptor, buffer, 0, length, bytes < 0 ? sizeBytes - length : 0)
    // A character that the limit cuts in two is left out.
    return new TextDecoder().decode(buffer.subarray(0, read), { stream: true })
  } catch {
    return null
  } finally {
    closeSync(descriptor)
  }
}
