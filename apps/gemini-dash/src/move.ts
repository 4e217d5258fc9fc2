import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { MoveAnswer, MoveTarget } from '@gemini-dash/api'
import {
  isSamePath,
  type Message,
  readSessionPath,
  type Session,
  type ToolCall,
  TouchedFileList,
} from 'gemini-sessions'
import { readHeads, readSessionGroup } from 'gemini-sessions/node'
import { HomeWriter } from './home-writes/home-writer.ts'
import { isFolder } from './paths.ts'
import {
  chooseTarget,
  isWhole,
  makePlan,
  type RecoverParts,
  type RecoveryPlan,
  type Refusal,
  refuseOtherProgram,
  refusePlan,
  refuseRunningCli,
  refuseSession,
  refuseSharedId,
  type Target,
  takeAwayLeft,
  writePlanned,
} from './recover/recover-session.ts'
import type { RecoverySource } from './store/recovering.ts'

interface MoveRequest {
  /** Keys of sessions of one project. Called after an interrupted write has been cleaned up. */
  keys: () => readonly string[]
  /** null: folders are only proposed. */
  to: string | null
  isWriting: boolean
}

const NOTHING_MOVED = { home: null, to: null, writes: [], notes: [], written: null }

/** Enough to show what a project contained. */
const TRACED_SESSIONS = 10
const TRACED_BYTES = 16 * 1024 * 1024

/**
 * Returns what would be written to make sessions show up in another project's folder, and writes it if `isWriting`: all of them or none.
 * Sessions that share the files of one id move together. null: no such session.
 *
 * @throws if it could not be written; nothing is left behind then
 */
export async function moveSessions(parts: RecoverParts, request: MoveRequest): Promise<MoveAnswer | null> {
  const { recovering, dataFolder, nowMs } = parts
  await takeAwayLeft(recovering, dataFolder)
  const keys = new Set(request.keys().flatMap((key) => recovering.runOf(key)))
  const sources = [...keys].flatMap((key) => recovering.describe(key) ?? [])
  const [first] = sources
  if (first === undefined) return null
  const foreign = sources.find(({ summary }) => summary.source !== 'gemini-cli')
  if (foreign !== undefined)
    return { ...NOTHING_MOVED, sessions: sources.length, targets: [], refused: refuseOtherProgram(foreign) }
  const traces = traceProject(first.summary.project.path, await readSome(sources))
  const nothing = { ...NOTHING_MOVED, sessions: sources.length }
  if (request.to === null) {
    const targets = proposeFolders(first, traces)
    return { ...nothing, targets, refused: [noFolderNamed(targets.length)] }
  }
  const folder = resolveFolder(request.to)
  if ('code' in folder) return { ...nothing, targets: proposeFolders(first, traces), refused: [folder] }
  const { target } = weighFolder(traces, folder.path)
  const move = new Move(sources, folder.path, nowMs)
  const answer = { ...nothing, to: folder.path, targets: [target], ...(await move.plan()) }
  if (target.evidence.length === 0)
    answer.notes.unshift('Nothing in these sessions points to this folder. Is it the right one?')
  if (answer.refused.length > 0 || !request.isWriting) return answer
  if (dataFolder === null)
    return { ...answer, refused: [{ code: 'no-journal', message: 'With --no-cache nothing is written.' }] }
  const { id, problem } = await move.write(dataFolder)
  await recovering.refresh()
  for (const { home, folder } of move.targets()) recovering.tellPath(home, folder, answer.to)
  return problem === null
    ? { ...answer, written: id }
    : { ...answer, refused: [{ code: 'not-read-back', message: problem }] }
}

interface Step {
  source: RecoverySource
  target: Target
  /** As reported in the plan. */
  logName: string
  paths: string[]
}

/** Session by session: those of a large project do not all fit into memory. */
class Move {
  readonly #sources: readonly RecoverySource[]
  readonly #path: string
  readonly #nowMs: number
  readonly #steps: Step[] = []

  constructor(sources: readonly RecoverySource[], path: string, nowMs: number) {
    // If several sessions share an id, the CLI shows the one written last: the move must keep that one last.
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
      refuse(refusePlan(target, plan))
      for (const note of plan.notes) notes.add(note)
      const files = plan.files.map(({ parts, bytes }) => ({ path: parts.join('/'), sizeBytes: bytes.length }))
      writes.push(...files)
      this.#steps.push({ source, target, logName: plan.logName, paths: files.map(({ path }) => path) })
    }
    const home = this.#steps[0]?.target.home ?? null
    return { home, writes: refused.size > 0 ? [] : writes, refused: [...refused.values()], notes: [...notes] }
  }

  /** Targets of the steps planned so far. */
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
        const { sessionId } = session
        const { problem } = await writePlanned(writeOne, { target: step.target, plan, sessionId }, about)
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
      ? [{ code: 'in-home', message: `The folder of ${this.#path} already has this session.` }]
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

/** One at a time, skipping those large enough to fill the memory. */
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

/** Adds the session's key where several sessions are moved. */
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
        ? 'Which folder? Set it with --to DIR.'
        : 'Can’t tell where the project is now. Run Gemini CLI there once, then pass --to DIR.',
  }
}

/** The path of a folder that sessions are to be moved to, as the system resolves it. */
function resolveFolder(to: string): { path: string } | Refusal {
  if (!isAbsolute(to))
    return { code: 'not-a-folder', message: `Use the full path of the folder: ${to} is relative.` }
  try {
    const path = realpathSync.native(to)
    if (statSync(path).isDirectory()) return { path }
  } catch {
    // Missing, or not accessible to this user.
  }
  return { code: 'not-a-folder', message: `There is no folder ${to} on this computer.` }
}

/** Where the CLI looks for sessions of this folder, in a home of the session. */
async function findMoveTarget(source: RecoverySource, path: string): Promise<Target | Refusal> {
  const { project } = source.summary
  if (project.path !== null && isSamePath(project.path, path))
    return { code: 'same-project', message: `It is already a session of ${path}.` }
  const projectHash = createHash('sha256').update(path).digest('hex')
  const places = source.allPlaces.filter(
    ({ name, marker }) => name === projectHash || (marker !== null && isSamePath(marker, path)),
  )
  const target = chooseTarget(source, places)
  if (target !== null) return { ...target, moved: { projectHash, from: await originsOf(source) } }
  return {
    code: 'no-folder',
    message: `Gemini CLI has no folder for ${path} in ${source.summary.files[0]?.home} yet. Start it once there, quit it, and try again.`,
  }
}

/** All projects the session has been in, by the hashes in its files; that of its current file last. */
async function originsOf({ files, summary }: RecoverySource): Promise<string[]> {
  const current = summary.files.find(({ role }) => role === 'current')
  const heads = await readHeads(files)
  const moves = [...heads.values()].map(({ movedFrom = [] }) => movedFrom)
  const longest = moves.sort((a, b) => b.length - a.length)[0] ?? []
  const lastOf = [...heads].find(([{ home, path }]) => home === current?.home && path === current?.path)?.[1]
    .projectHash
  const hashes = [...heads.values()].flatMap(({ projectHash }) => projectHash ?? [])
  const last = lastOf ?? hashes[0]
  const others = [...new Set(hashes)].filter((hash) => hash !== last && !longest.includes(hash))
  return [...longest, ...others, ...(last === undefined ? [] : [last])]
}

/** What sessions reveal about the folder they worked in. */
interface ProjectTraces {
  /** null if unknown. */
  path: string | null
  /** Files in it that tool calls named, as relative paths. */
  files: string[]
  /** Git remotes found in the output of git, or in the folder if it still exists: `github.com/me/shop`. */
  remotes: ReadonlySet<string>
}

/** Enough files to distinguish one folder from another. */
const MOST_FILES = 200
const MOST_TEXT = 256 * 1024

function traceProject(path: string | null, sessions: readonly Session[]): ProjectTraces {
  const list = new TouchedFileList(path)
  const remotes = new Set(path === null ? [] : readRemotes(path))
  for (const session of sessions) {
    for (const message of session.messages) {
      list.add(message)
      for (const remote of namedRemotes(message)) remotes.add(remote)
    }
  }
  const names = list.files().flatMap(({ name, failed, reads, writes, edits }) => {
    const isThere = reads + writes + edits > 0 && failed < reads + writes + edits
    return isThere && isInside(name) ? [name] : []
  })
  return { path, files: names.slice(0, MOST_FILES), remotes }
}

/** Not a path that leads out of the folder. */
function isInside(name: string): boolean {
  return (
    !/^(?:[/\\~]|[A-Za-z]:)/.test(name) && !name.split(/[/\\]/).some((part) => part === '..' || part === '.')
  )
}

function namedRemotes({ toolCalls }: Message): string[] {
  return toolCalls
    .filter(isGit)
    .flatMap(({ output }) => remoteNames(JSON.stringify(output).slice(0, MOST_TEXT)))
}

function isGit({ name, args }: ToolCall): boolean {
  return name === 'run_shell_command' && /\bgit\b/.test(JSON.stringify(args) ?? '')
}

const MAX_CONFIG_BYTES = 256 * 1024
/** `git@host:owner/repo.git`, `https://host/owner/repo`, `ssh://git@host:22/owner/repo.git` */
const ADDRESS =
  /(?:(?:https?|ssh|git):\/\/(?:[^\s/@"']+@)?|\bgit@)([A-Za-z0-9.-]+)(?::\d+(?=\/))?[:/]([\w.~/-]+)/g

/** The remotes of a folder's own repository; empty if it has none or keeps it elsewhere. Reads only `.git/config`. */
export function readRemotes(folder: string): string[] {
  const config = join(folder, '.git', 'config')
  try {
    const found = lstatSync(config)
    if (!found.isFile() || found.size > MAX_CONFIG_BYTES) return []
    const lines = readFileSync(config, 'utf8').split('\n')
    return lines.filter((line) => /^\s*url\s*=/.test(line)).flatMap(remoteNames)
  } catch {
    return []
  }
}

/** Repository addresses in a text, normalized to the same name for every protocol. */
export function remoteNames(text: string): string[] {
  return [...text.matchAll(ADDRESS)].map(([, host = '', path = '']) =>
    `${host}/${path.replace(/\/+$/, '').replace(/\.git$/, '')}`.toLowerCase(),
  )
}

const MOST = 5

/** Folders that the CLI knows in the homes of the session and that have some evidence, the likeliest first. */
function proposeFolders({ allPlaces, summary }: RecoverySource, traces: ProjectTraces): MoveTarget[] {
  const homes = new Set(summary.files.map(({ home }) => home))
  const paths = allPlaces.flatMap(({ home, marker }) => (homes.has(home) && marker !== null ? [marker] : []))
  const own = summary.project.path
  const others = [...new Set(paths)].filter(
    (path) => (own === null || !isSamePath(own, path)) && isFolder(path),
  )
  return others
    .map((path) => weighFolder(traces, path))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || (a.target.path < b.target.path ? -1 : 1))
    .slice(0, MOST)
    .map(({ target }) => target)
}

interface WeighedFolder {
  target: MoveTarget
  /** Higher with more evidence; 0 if there is too little to propose the folder. */
  weight: number
}

/** Collects the evidence that sessions now belong to a folder. Reads its `.git/config` and checks which files exist. */
export function weighFolder({ path: before, files, remotes }: ProjectTraces, path: string): WeighedFolder {
  const evidence: MoveTarget['evidence'] = []
  const remote = readRemotes(path).find((name) => remotes.has(name))
  if (remote !== undefined)
    evidence.push({ kind: 'git-remote', text: `It has the same git remote, ${remote}.` })
  const found = files.filter((name) => existsSync(join(path, name))).length
  if (found > 0)
    evidence.push({
      kind: 'files',
      text: `${found} of ${files.length} files that the sessions touched are there.`,
    })
  const end = before === null ? [] : commonEnd(before, path)
  if (end.length > 0) evidence.push({ kind: 'path-end', text: `Both paths end in ${end.join('/')}.` })
  const share = files.length === 0 ? 0 : found / files.length
  const weight = (remote === undefined ? 0 : 100) + (share < 0.5 ? 0 : 50 * share) + 5 * end.length
  return { target: { path, evidence }, weight }
}

function commonEnd(a: string, b: string): string[] {
  const [one, other] = [a, b].map((path) => path.split(/[\\/]+/).filter((part) => part !== ''))
  const end: string[] = []
  while (one !== undefined && other !== undefined) {
    const [last, otherLast] = [one.pop(), other.pop()]
    if (last === undefined || last !== otherLast) break
    end.unshift(last)
  }
  return end
}
