import type { MoveAnswer } from '@gemini-dash/api'
import { readSessionPath, type Session } from 'gemini-sessions'
import { readSessionGroup } from 'gemini-sessions/node'
import { HomeWriter } from '../home-writes/home-writer.ts'
import type { Target } from '../recover/find-target.ts'
import { makePlan, type RecoveryPlan } from '../recover/make-plan.ts'
import { type RecoverParts, takeAwayLeft } from '../recover/recover-session.ts'
import {
  isWhole,
  type Refusal,
  refusePlaces,
  refuseRunningCli,
  refuseSession,
  refuseSharedId,
} from '../recover/refusals.ts'
import { writePlanned } from '../recover/write-planned.ts'
import type { RecoverySource } from '../store/recovering.ts'
import { findMoveTarget, resolveFolder } from './find-move-target.ts'
import { traceProject } from './project-traces.ts'
import { proposeFolders } from './propose-folders.ts'
import { weighFolder } from './weigh-folder.ts'

export interface MoveRequest {
  /** Of sessions of one project, as they are when nothing is left of what was broken off. */
  keys: () => readonly string[]
  /** null: folders are only proposed. */
  to: string | null
  isWriting: boolean
}

/** Enough to tell what a project held. */
const TRACED_SESSIONS = 10
const TRACED_BYTES = 16 * 1024 * 1024

/**
 * Says what would be written to have sessions found in another project's folder, and with `isWriting` writes it: all of them, or
 * none. What shares the files of one id goes together. null: there is no such session.
 *
 * @throws why it could not be written; nothing of it is left then
 */
export async function moveSessions(parts: RecoverParts, request: MoveRequest): Promise<MoveAnswer | null> {
  const { recovering, dataFolder, nowMs } = parts
  await takeAwayLeft(recovering, dataFolder)
  const keys = new Set(request.keys().flatMap((key) => recovering.runOf(key)))
  const sources = [...keys].flatMap((key) => recovering.describe(key) ?? [])
  const [first] = sources
  if (first === undefined) return null
  const traces = traceProject(first.summary.project.path, await readSome(sources))
  const nothing = { home: null, to: null, sessions: sources.length, writes: [], notes: [], written: null }
  if (request.to === null) {
    const targets = proposeFolders(first, traces)
    return { ...nothing, targets, refused: [noFolderNamed(targets.length)] }
  }
  const folder = resolveFolder(request.to)
  if ('code' in folder) return { ...nothing, targets: proposeFolders(first, traces), refused: [folder] }
  const { target } = weighFolder(traces, folder.path)
  const move = new Move(sources, folder.path, nowMs)
  const told = { ...nothing, to: folder.path, targets: [target], ...(await move.plan()) }
  if (target.evidence.length === 0)
    told.notes.unshift('Nothing in these sessions speaks for this folder: is it the right one?')
  if (told.refused.length > 0 || !request.isWriting) return told
  if (dataFolder === null)
    return { ...told, refused: [{ code: 'no-journal', message: 'With --no-cache nothing is written.' }] }
  const { id, problem } = await move.write(dataFolder)
  await recovering.refresh()
  for (const { home, folder } of move.targets()) recovering.tellPath(home, folder, told.to)
  return problem === null
    ? { ...told, written: id }
    : { ...told, refused: [{ code: 'not-read-back', message: problem }] }
}

interface Step {
  source: RecoverySource
  target: Target
  /** As they were told. */
  logName: string
  paths: string[]
}

/** Session by session: of a large project not all of them fit into memory. */
class Move {
  readonly #sources: readonly RecoverySource[]
  readonly #path: string
  readonly #nowMs: number
  readonly #steps: Step[] = []

  constructor(sources: readonly RecoverySource[], path: string, nowMs: number) {
    // Of several with one id the CLI shows the one that was written last: that stays the same one.
    this.#sources = sources.toSorted((a, b) => lastTime(a).localeCompare(lastTime(b)))
    this.#path = path
    this.#nowMs = nowMs
  }

  async plan(): Promise<Pick<MoveAnswer, 'home' | 'writes' | 'refused' | 'notes'>> {
    const refused = new Map<string, Refusal>()
    const notes = new Set<string>()
    const writes: MoveAnswer['writes'] = []
    const refuse = (all: readonly Refusal[]) => {
      for (const each of all) refused.set(`${each.code} ${each.message}`, each)
    }
    for (const source of this.#sources) {
      const target = await findMoveTarget(source, this.#path)
      const session = await readSession(source)
      const found = 'code' in target ? [target] : await this.#refuse(source, session, target)
      refuse(this.#sources.length === 1 ? found : found.map((each) => named(each, source)))
      if ('code' in target || found.length > 0 || session === undefined) continue
      const plan = await this.#planOf({ source, target }, session)
      refuse(refusePlaces(target, plan))
      for (const note of plan.notes) notes.add(note)
      const files = plan.files.map(({ parts, bytes }) => ({ path: parts.join('/'), sizeBytes: bytes.length }))
      writes.push(...files)
      this.#steps.push({ source, target, logName: plan.logName, paths: files.map(({ path }) => path) })
    }
    const home = this.#steps[0]?.target.home ?? null
    return { home, writes: refused.size > 0 ? [] : writes, refused: [...refused.values()], notes: [...notes] }
  }

  /** Where they go, as far as that is planned. */
  targets(): Target[] {
    return this.#steps.map(({ target }) => target)
  }

  /** All of them, or none. */
  write(dataFolder: string): Promise<{ id: string; problem: string | null }> {
    const paths = this.#steps.map((step) => step.paths)
    return new HomeWriter(dataFolder).writeAll(paths, async (writeOne) => {
      for (const step of this.#steps) {
        const session = await readSession(step.source)
        if (session === undefined) throw new Error('its files have just been deleted')
        const plan = await this.#planOf(step, session)
        const about = { what: 'move', sessionKey: step.source.summary.key } as const
        const { problem } = await writePlanned(writeOne, { target: step.target, plan, session }, about)
        if (problem !== null) return problem
      }
      return null
    })
  }

  async #refuse(source: RecoverySource, session: Session | undefined, target: Target): Promise<Refusal[]> {
    const found = [
      ...refuseSession(source, session, this.#nowMs),
      ...refuseSharedId(source, ({ files }) => files.some((file) => isIn(file, target))),
      ...refuseRunningCli([source.summary.project.path, this.#path]),
    ]
    const isThere = found.length === 0 && session !== undefined && (await isWhole(source, session, target))
    return isThere
      ? [{ code: 'in-home', message: `The folder of ${this.#path} holds all of this session already.` }]
      : found
  }

  #planOf(
    { source, target, logName }: Pick<Step, 'source' | 'target'> & Partial<Step>,
    session: Session,
  ): Promise<RecoveryPlan> {
    const nowMs = this.#nowMs + this.#sources.indexOf(source)
    return makePlan(source, session, target, { nowMs, ...(logName !== undefined && { logName }) })
  }
}

/** One after the other, and none that fills the memory. */
async function readSome(sources: readonly RecoverySource[]): Promise<Session[]> {
  const sessions: Session[] = []
  for (const source of sources.filter(isSmall).slice(0, TRACED_SESSIONS))
    sessions.push(...[await readSession(source)].flatMap((session) => session ?? []))
  return sessions
}

function isSmall({ files }: RecoverySource): boolean {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) < TRACED_BYTES
}

async function readSession({ files, claims, ownKey }: RecoverySource): Promise<Session | undefined> {
  return (await readSessionGroup(files, { claims })).find(({ key }) => key === ownKey)
}

function isIn({ home, path }: RecoverySource['summary']['files'][number], target: Target): boolean {
  return home === target.home && readSessionPath(path).projectFolder === target.folder
}

function lastTime({ summary: { lastUpdated, endTime } }: RecoverySource): string {
  return lastUpdated ?? endTime ?? ''
}

/** Of many, which one. */
function named({ code, message }: Refusal, { summary }: RecoverySource): Refusal {
  return code === 'no-folder' || code === 'cli-runs'
    ? { code, message }
    : { code, message: `${summary.key}: ${message}` }
}

function noFolderNamed(proposed: number): Refusal {
  return {
    code: 'no-target',
    message:
      proposed > 0
        ? 'Where to? Name the folder with --to DIR.'
        : 'Nothing tells where the project is now. Start Gemini CLI once in its folder, end it, and name it with --to DIR.',
  }
}
