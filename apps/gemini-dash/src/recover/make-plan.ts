import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecoverAnswer } from '@gemini-dash/api'
import { formatPlural } from '@gemini-dash/api/figures'
import { readSessionPath, type Session } from 'gemini-sessions'
import { listBeside } from 'gemini-sessions/node'
import type { NewHomeFile } from '../home-writes/home-writer.ts'
import { resolvePlace, UnsafePlace } from '../home-writes/resolve-place.ts'
import { cleanUpOf } from '../store/doctor/retention/retention-rule.ts'
import type { RecoverySource } from '../store/recovering.ts'
import { isCliRunningIn } from './find-running-cli.ts'
import { newLogName, type Target } from './find-target.ts'
import { moveLog } from './moved-log.ts'
import { recoverLog } from './recovered-log.ts'

/** What is written for one session. */
export interface RecoveryPlan {
  files: NewHomeFile[]
  /** Where the session's own log goes, below the home. */
  log: string
  logName: string
  ids: string[]
  notes: string[]
}

/** The session's log, and what goes with it. Reads, and writes nothing. */
export async function makePlan(
  source: RecoverySource,
  session: Session,
  target: Target,
  { nowMs, logName = newLogName(target, session.sessionId, nowMs) }: { nowMs: number; logName?: string },
): Promise<RecoveryPlan> {
  const { summary, agentFiles } = source
  const { moved } = target
  const folder = ['tmp', target.folder]
  const projectHash =
    moved?.projectHash ??
    session.projectHash ??
    createHash('sha256')
      .update(summary.project.path ?? '')
      .digest('hex')
  const log = await recoverLog(session, source.files, {
    layout: target.layout,
    projectHash,
    now: new Date(nowMs).toISOString(),
    moved,
  })
  const found = new Map<string, NewHomeFile>()
  let [lostAgents, oddNames] = [0, 0]
  const take = (parts: string[], read: () => Uint8Array) => {
    const code = problemOf(target, parts)?.code
    if (code === 'unsafe-name') oddNames += 1
    else if (code !== 'file-exists') found.set(parts.join('/'), { parts, bytes: read() })
  }
  // Of those in several folders the longest one stands.
  for (const { path, absolutePath, kept } of agentFiles.toSorted((a, b) => a.sizeBytes - b.sizeBytes)) {
    const { parentId } = readSessionPath(path)
    const name = path.split('/').at(-1) ?? ''
    const bytes = () => readFileSync(absolutePath)
    if (kept?.cause === 'overwritten') continue
    if (parentId === null) lostAgents += kept === undefined ? 0 : 1
    else
      take([...folder, 'chats', parentId, name], () => (moved === null ? bytes() : moveLog(bytes(), moved)))
  }
  for (const { folder: from, place } of besideFiles(source, target))
    take([...folder, ...place.split('/')], () => readFileSync(join(from, place)))
  const name = [...folder, 'chats', logName]
  const notes = notesOf(source, target, { leftOut: log.leftOut, lostAgents, oddNames })
  return {
    files: [...found.values(), { parts: name, bytes: log.bytes }],
    log: name.join('/'),
    logName,
    ids: log.ids,
    notes,
  }
}

/** Saved outputs, and the folder of its own, where they are kept or lie in another folder of the project. */
function besideFiles(
  { summary, besidePlaces }: RecoverySource,
  target: Target,
): { folder: string; place: string }[] {
  return besidePlaces.flatMap((place) => {
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
  { home, moved }: Target,
  lost: { leftOut: number; lostAgents: number; oddNames: number },
): string[] {
  const { path } = summary.project
  return [
    ...(moved === null ? [] : ['The files where it is now stay as they are.']),
    describeCleanUp(home),
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

/** What becomes of a session that is in this home. */
function describeCleanUp(home: string): string {
  const { rule, problems } = cleanUpOf({ path: home })
  if (rule === null)
    return problems.length === 0
      ? 'This home keeps sessions for good.'
      : `Gemini CLI deletes no session of this home as long as ${problems[0]?.setting} is not valid.`
  const limits = [
    rule.maxAgeDays === null ? [] : `when it was not continued for ${formatPlural(rule.maxAgeDays, 'day')}`,
    rule.maxCount === null ? [] : `when ${formatPlural(rule.maxCount, 'newer session')} of its project exist`,
  ].flat()
  return `Gemini CLI deletes it as any other session${limits.length === 0 ? '' : `, ${limits.join(' or ')}`}.`
}

/** Why nothing can be written there; null: it can. */
export function problemOf(
  { home }: Target,
  parts: readonly string[],
): RecoverAnswer['refused'][number] | null {
  try {
    resolvePlace(home, parts)
    return null
  } catch (error) {
    if (!(error instanceof UnsafePlace)) throw error
    return { code: error.code, message: error.message }
  }
}
