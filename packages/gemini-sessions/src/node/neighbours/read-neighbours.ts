import { readPromptLog } from '../../derive/loose/read-prompt-log.ts'
import { findTypedOnly } from '../../derive/neighbours/find-typed-only.ts'
import type { Neighbours, TypedOnly } from '../../model/neighbours.ts'
import type { Session } from '../../model/session.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { MAX_LOG_BYTES } from '../loose/read-prompt-logs.ts'
import type { ProjectPlace } from '../scan/project-place.ts'
import type { FoundFile } from './found-file.ts'
import { listNeighbours } from './list-neighbours.ts'
import { readPlan } from './read-plan.ts'
import { readRestorePoint } from './read-restore-point.ts'
import { readTrackerTask } from './read-tracker-task.ts'

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
  const entries = places.flatMap(({ logs }) => {
    const text = logs === null ? null : readSmallFile(logs.absolutePath, MAX_LOG_BYTES)
    return logs === null || text === null ? [] : readPromptLog({ path: logs.path, text })
  })
  return findTypedOnly(
    session,
    siblings.filter(({ sessionId, kind }) => sessionId === session.sessionId && kind === 'main'),
    entries,
  )
}
