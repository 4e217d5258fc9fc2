import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecoverAnswer } from '@gemini-dash/api'
import { drawnMessages, readSessionPath, type Session } from 'gemini-sessions'
import { type DiscoveredFile, listBeside, readSessionGroup, readSessionRetention } from 'gemini-sessions/node'
import { HomeWriter, type NewHomeFile } from '../home-writes/home-writer.ts'
import { resolvePlace, UnsafePlace } from '../home-writes/resolve-place.ts'
import type { Recovering, RecoverySource } from '../store/recovering.ts'
import { isCliRunningIn } from './find-running-cli.ts'
import { findTarget, newLogName, type Target } from './find-target.ts'
import { loads, recoverLog } from './recovered-log.ts'

export interface RecoverParts {
  recovering: Recovering
  /** null: nothing may be written, not even a journal. */
  dataFolder: string | null
  nowMs: number
}

type Refusal = RecoverAnswer['refused'][number]

interface Plan {
  files: NewHomeFile[]
  /** Where the session's own log goes, below the home. */
  log: string
  ids: string[]
  notes: string[]
}

/** What grew within this time may grow again. */
const QUIET_MS = 120_000
const CLI_DEFAULT_AGE_DAYS = 30

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

async function makePlan(
  source: RecoverySource,
  session: Session,
  target: Target,
  nowMs: number,
): Promise<Plan> {
  const { summary, agentFiles } = source
  const folder = ['tmp', target.folder]
  const projectHash =
    session.projectHash ??
    createHash('sha256')
      .update(summary.project.path ?? '')
      .digest('hex')
  const log = await recoverLog(session, source.files, {
    layout: target.layout,
    projectHash,
    now: new Date(nowMs).toISOString(),
  })
  const found = new Map<string, NewHomeFile>()
  let [lostAgents, oddNames] = [0, 0]
  const take = (parts: string[], path: string) => {
    const code = problemOf(target, parts)?.code
    if (code === 'unsafe-name') oddNames += 1
    else if (code !== 'file-exists') found.set(parts.join('/'), { parts, bytes: readFileSync(path) })
  }
  for (const { path, absolutePath, kept } of agentFiles) {
    const { parentId } = readSessionPath(path)
    const name = path.split('/').at(-1) ?? ''
    if (kept?.cause === 'overwritten') continue
    if (parentId === null) lostAgents += kept === undefined ? 0 : 1
    else take([...folder, 'chats', parentId, name], absolutePath)
  }
  for (const { folder: from, place } of besideFiles(source, target))
    take([...folder, ...place.split('/')], join(from, place))
  const name = [...folder, 'chats', newLogName(target, session.sessionId, nowMs)]
  const notes = notesOf(source, target, { leftOut: log.leftOut, lostAgents, oddNames })
  return {
    files: [...found.values(), { parts: name, bytes: log.bytes }],
    log: name.join('/'),
    ids: log.ids,
    notes,
  }
}

/** Saved outputs, and the folder of its own, where they are kept or lie in another folder of the project. */
function besideFiles(
  { summary, places }: RecoverySource,
  target: Target,
): { folder: string; place: string }[] {
  return places.flatMap((place) => {
    const isTarget = place.home === target.home && place.name === target.folder
    const folders = [place.keptFolder, isTarget ? undefined : place.folder].flatMap((folder) => folder ?? [])
    return folders
      .filter((folder) => lstatSync(folder, { throwIfNoEntry: false })?.isDirectory())
      .flatMap((folder) => listBeside({ ...place, folder }, [summary.sessionId]))
      .filter(({ sessionId }) => sessionId === summary.sessionId)
  })
}

function notesOf(
  { summary }: RecoverySource,
  { home }: Target,
  lost: { leftOut: number; lostAgents: number; oddNames: number },
): string[] {
  const { enabled, maxAgeDays } = readSessionRetention({ path: home })
  const days = maxAgeDays ?? CLI_DEFAULT_AGE_DAYS
  const { path } = summary.project
  return [
    enabled === false
      ? 'This home keeps sessions for good.'
      : `Gemini CLI deletes it as any other session, when it was not gone on with for ${days} days.`,
    ...(path === null || isCliRunningIn(path) === null
      ? ['Whether a Gemini CLI works in the project just now is not known here. If one does, end it first.']
      : []),
    ...(lost.leftOut > 0
      ? [`${lost.leftOut} messages stand in damaged lines, which Gemini CLI cannot load: they are left out.`]
      : []),
    ...(lost.lostAgents > 0
      ? [
          `${lost.lostAgents} sub-agents lay beside the session; Gemini CLI would delete both, so they are left out.`,
        ]
      : []),
    ...(lost.oddNames > 0
      ? [
          `${lost.oddNames} files beside the session have names that nothing is written to: they are left out.`,
        ]
      : []),
  ]
}

function refusePlaces(target: Target, { files }: Plan): Refusal[] {
  return files.flatMap(({ parts }) => problemOf(target, parts) ?? [])
}

function problemOf({ home }: Target, parts: readonly string[]): Refusal | null {
  try {
    resolvePlace(home, parts)
    return null
  } catch (error) {
    if (!(error instanceof UnsafePlace)) throw error
    return { code: error.code, message: error.message }
  }
}

/** As we read it; what is written is what the CLI's own loader reads, which tests compare with ours. */
async function holds(target: Target, { log, ids }: Plan, session: Session): Promise<boolean> {
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
