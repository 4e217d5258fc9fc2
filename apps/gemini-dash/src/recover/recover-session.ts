import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { RecoverAnswer } from '@gemini-dash/api'
import { drawnMessages, readSessionPath, type Session } from 'gemini-sessions'
import { type DiscoveredFile, readSessionGroup } from 'gemini-sessions/node'
import { HomeWriter } from '../home-writes/home-writer.ts'
import type { Recovering, RecoverySource } from '../store/recovering.ts'
import { isCliRunningIn } from './find-running-cli.ts'
import { findTarget, type Target } from './find-target.ts'
import { makePlan, problemOf, type RecoveryPlan } from './make-plan.ts'
import { loads } from './recovered-log.ts'

export interface RecoverParts {
  recovering: Recovering
  /** null: nothing may be written, not even a journal. */
  dataFolder: string | null
  nowMs: number
}

type Refusal = RecoverAnswer['refused'][number]

/** What grew within this time may grow again. */
const QUIET_MS = 120_000

/**
 * Says what would be written to bring a session back into its home, and with `isWriting` writes it. null: there is no such session.
 *
 * @throws why it could not be written; nothing of it is left then
 */
export async function recoverSession(
  { recovering, dataFolder, nowMs }: RecoverParts,
  key: string,
  isWriting: boolean,
): Promise<RecoverAnswer | null> {
  const source = recovering.describe(key)
  if (source === null) return null
  const session = (await readSessionGroup(source.files)).find(({ key: own }) => own === source.ownKey)
  const refused = refuse(source, session, nowMs)
  const target = findTarget(source)
  if (target === null) refused.push(noFolder(source))
  if (session === undefined || target === null || refused.length > 0) return refusal(refused)
  if (await isWhole(source, session, target))
    return refusal([
      { code: 'in-home', message: 'The home holds all of this session: Gemini CLI finds it there.' },
    ])
  const plan = await makePlan(source, session, target, nowMs)
  refused.push(...refusePlaces(target, plan))
  if (dataFolder === null && isWriting)
    refused.push({ code: 'no-journal', message: 'With --no-cache nothing is written.' })
  const writes = plan.files.map(({ parts, bytes }) => ({ path: parts.join('/'), sizeBytes: bytes.length }))
  const answer = { home: target.home, writes, refused, notes: plan.notes, written: null }
  if (!isWriting || dataFolder === null || refused.length > 0) return answer
  const { entry, problem } = await new HomeWriter(dataFolder).write(
    { what: 'recover', sessionKey: source.summary.key, home: target.home, files: plan.files },
    async () =>
      (await holds(target, plan, session)) ? null : 'What was written is not read back as that session.',
  )
  await recovering.refresh()
  if (problem !== null)
    return { ...answer, refused: [{ code: 'not-read-back', message: `${problem} It was removed again.` }] }
  return { ...answer, written: entry.id }
}

function refusal(refused: Refusal[]): RecoverAnswer {
  return { home: null, writes: [], refused, notes: [], written: null }
}

function refuse(
  { summary, files, isLive, isIdShared }: RecoverySource,
  session: Session | undefined,
  nowMs: number,
): Refusal[] {
  if (summary.kind !== 'main')
    return [
      {
        code: 'no-main-session',
        message: 'Only a session with a file of its own comes back; sub-agents come with theirs.',
      },
    ]
  if (session === undefined || drawnMessages(session).length === 0)
    return [{ code: 'nothing-left', message: 'Of this session no message is left.' }]
  const found: Refusal[] = []
  // What is only kept cannot grow.
  const own = new Set(summary.files.map(({ home, path }) => `${home}\n${path}`))
  const there = files.filter(({ kept, home, path }) => kept === undefined && own.has(`${home}\n${path}`))
  const hasGrown = there.some(({ mtimeMs }) => nowMs - mtimeMs < QUIET_MS)
  if (hasGrown || (isLive && there.length > 0))
    found.push({
      code: 'grew',
      message: 'It grew within the last two minutes: it may be in use. Try again later.',
    })
  if (isIdShared)
    found.push({
      code: 'shared-id',
      message: 'Another session in the home has the same id, and Gemini CLI would show only one of them.',
    })
  const { path } = summary.project
  if (path !== null && isCliRunningIn(path) === true)
    found.push({
      code: 'cli-runs',
      message: `A Gemini CLI works in ${path} just now. End it, and try again.`,
    })
  return found
}

function noFolder({ summary: { project } }: RecoverySource): Refusal {
  const where = project.path ?? 'the project’s folder'
  return {
    code: 'no-folder',
    message: `Gemini CLI has no folder for this project yet. Start it once in ${where}, end it, and try again.`,
  }
}

/** A file where the CLI looks holds what stands for the session. */
async function isWhole(
  { files }: RecoverySource,
  session: Session,
  { home, folder }: Target,
): Promise<boolean> {
  const ids = drawnMessages(session).map(({ id }) => id)
  for (const file of files) {
    const { parentId, projectFolder, isBackup } = readSessionPath(file.path)
    const isRead =
      file.kept === undefined &&
      file.home === home &&
      projectFolder === folder &&
      parentId === null &&
      !isBackup
    if (isRead && (await loads(file, session.sessionId, ids))) return true
  }
  return false
}

function refusePlaces(target: Target, { files }: RecoveryPlan): Refusal[] {
  return files.flatMap(({ parts }) => problemOf(target, parts) ?? [])
}

/** As we read it; what is written is what the CLI's own loader reads, which tests compare with ours. */
async function holds(target: Target, { log, ids }: RecoveryPlan, session: Session): Promise<boolean> {
  const absolutePath = join(target.home, log)
  const { size, mtimeMs, mtimeNs, ctimeNs, ino } = lstatSync(absolutePath, { bigint: true })
  const file: DiscoveredFile = {
    home: target.home,
    path: log,
    absolutePath,
    projectFolder: join(target.home, 'tmp', target.folder),
    sizeBytes: Number(size),
    mtimeMs: Number(mtimeMs),
    mtimeNs: String(mtimeNs),
    ctimeNs: String(ctimeNs),
    inode: String(ino),
  }
  return loads(file, session.sessionId, ids)
}
