import { createHash, randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { RecoverAnswer } from '@gemini-dash/api'
import { formatPlural } from '@gemini-dash/api/figures'
import { addedFrom } from '@gemini-dash/api/source-names'
import {
  drawnMessages,
  parseSessionFile,
  readSessionPath,
  type Session,
  type SessionSummary,
} from 'gemini-sessions'
import { type DiscoveredFile, listBeside, type ProjectPlace, readSessionGroup } from 'gemini-sessions/node'
import {
  type HomeWrite,
  HomeWriter,
  type NewHomeFile,
  resolvePlace,
  UnsafePlace,
  type WriteOne,
} from '../home-writes/home-writer.ts'
import { cleanUpOf } from '../store/doctor/retention-rule.ts'
import type { Recovering, RecoverySource } from '../store/recovering.ts'
import { type Layout, loads, type Moved, moveLog, recoverLog } from './recovered-log.ts'

export interface RecoverParts {
  recovering: Recovering
  /** null: nothing may be written, not even a journal. */
  dataFolder: string | null
  nowMs: number
}

/**
 * Returns what would be written to restore a session to its home, and writes it if `isWriting`. null: no such session.
 *
 * @throws if it could not be written; nothing is left behind then
 */
export async function recoverSession(
  { recovering, dataFolder, nowMs }: RecoverParts,
  key: string,
  isWriting: boolean,
): Promise<RecoverAnswer | null> {
  await takeAwayLeft(recovering, dataFolder)
  const source = recovering.describe(key)
  if (source === null) return null
  const foreign = refuseOtherProgram(source)
  if (foreign.length > 0) return refusal(foreign)
  const session = (await readSessionGroup(source.files, source)).find(({ key: own }) => own === source.ownKey)
  const refused = refuse(source, refuseSession(source, session, nowMs))
  const target = findTarget(source)
  if (target === null) refused.push(noFolder(source))
  // Checked before `grew`: a session recovered a moment ago is not in use.
  const mayBeThere = refused.every(({ code }) => code === 'grew')
  if (mayBeThere && session !== undefined && target !== null && (await isWhole(source, session, target)))
    return refusal([{ code: 'in-home', message: 'Nothing to recover: the session is complete.' }])
  if (session === undefined || target === null || refused.length > 0) return refusal(refused)
  const plan = await makePlan(source, session, target, { nowMs })
  refused.push(...refusePlan(target, plan))
  if (dataFolder === null && isWriting)
    refused.push({ code: 'no-journal', message: 'With --no-cache nothing is written.' })
  const writes = plan.files.map(({ parts, bytes }) => ({ path: parts.join('/'), sizeBytes: bytes.length }))
  const answer = { home: target.home, writes, refused, notes: plan.notes, written: null }
  if (!isWriting || dataFolder === null || refused.length > 0) return answer
  const about = { what: 'recover', sessionKey: source.summary.key } as const
  const writer = new HomeWriter(dataFolder)
  const { sessionId } = session
  const { id, problem } = await writePlanned(writer.write.bind(writer), { target, plan, sessionId }, about)
  await recovering.refresh()
  return problem === null
    ? { ...answer, written: id }
    : { ...answer, refused: [{ code: 'not-read-back', message: problem }] }
}

/** What a killed process has written would count as existing, so it is removed before planning. */
export async function takeAwayLeft(recovering: Recovering, dataFolder: string | null): Promise<void> {
  if (dataFolder !== null && new HomeWriter(dataFolder).removeLeft() > 0) await recovering.refresh()
}

function refusal(refused: Refusal[]): RecoverAnswer {
  return { home: null, writes: [], refused, notes: [], written: null }
}

function refuse(source: RecoverySource, found: Refusal[]): Refusal[] {
  const isFinal = found.some(({ code }) =>
    ['no-main-session', 'nothing-left', 'added', 'other-form'].includes(code),
  )
  const { project } = source.summary
  if (isFinal) return found
  return [
    ...found,
    ...refuseSharedId(source, (other) => other.project.key === project.key),
    ...refuseRunningCli([project.path]),
  ]
}

export function noFolder({ summary: { project } }: RecoverySource): Refusal {
  const where = project.path ?? 'the project’s folder'
  return {
    code: 'no-folder',
    message: `Gemini CLI has no folder for this project yet. Start it once in ${where}, quit it, and try again.`,
  }
}

/** Where Gemini CLI looks for the sessions of a project, and the form in which it writes them there. */
export interface Target {
  home: string
  /** Name of the project's folder. */
  folder: string
  layout: Layout
  /** Set if it belongs to another project than the session's. */
  moved: Moved | null
}

const HASH = /^[0-9a-f]{64}$/

/** In the session's former home; null: the CLI has no folder for its project there. */
export function findTarget(source: RecoverySource): Target | null {
  return chooseTarget(source, source.places)
}

/** The first of these folders in which the CLI would look, in a home of the session. */
export function chooseTarget(
  { summary, homeFiles }: RecoverySource,
  places: readonly ProjectPlace[],
): Target | null {
  const homes = summary.files.toSorted((a, b) => rankOf(a.role) - rankOf(b.role)).map(({ home }) => home)
  for (const home of new Set(homes)) {
    const own = places.filter((place) => place.home === home && isUsed(place))
    // Since 0.29 it looks in the folder with a name, if there is one.
    const place = own.find(({ name }) => !HASH.test(name)) ?? own[0]
    if (place === undefined) continue
    const ofHome = homeFiles.filter((file) => file.home === home)
    const there = ofHome.filter(({ kept }) => kept === undefined)
    const isLogs = (there.length > 0 ? there : ofHome).some(({ path }) => path.endsWith('.jsonl'))
    return { home, folder: place.name, layout: isLogs ? 'jsonl' : 'json', moved: null }
  }
  return null
}

function rankOf(role: string): number {
  return role === 'current' ? 0 : 1
}

/** A folder with a name counts only with its marker: without it the CLI would create another one. */
function isUsed({ folder, name }: ProjectPlace): boolean {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false
  return HASH.test(name) || existsSync(join(folder, '.project_root'))
}

/**
 * A name that no clean-up removes by mistake: clean-up deletes all files with the same ending, and a resume deletes an unusable one whose
 * name ends with the beginning of the session's id.
 */
export function newLogName({ home, folder, layout }: Target, sessionId: string, nowMs: number): string {
  const chats = join(home, 'tmp', folder, 'chats')
  const taken = existsSync(chats) ? readdirSync(chats).join('\n') : ''
  let suffix = ''
  do suffix = randomBytes(4).toString('hex')
  while (taken.includes(`-${suffix}.`) || sessionId.startsWith(suffix))
  const minute = new Date(nowMs).toISOString().slice(0, 16).replace(':', '-')
  return `session-${minute}-${suffix}.${layout}`
}

/** What is written for one session. */
export interface RecoveryPlan {
  files: NewHomeFile[]
  /** Path of the session's own log, below the home. */
  log: string
  logName: string
  ids: string[]
  notes: string[]
  /** For files of sub-agents among them that Gemini CLI could not read there either. */
  otherForms: Refusal[]
}

/** The session's log, and what belongs to it. Only reads. */
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
  const otherForms = new Map<string, Refusal>()
  let [lostAgents, oddNames] = [0, 0]
  const take = (parts: string[], read: () => Uint8Array) => {
    const code = problemOf(target, parts)?.code
    if (code === 'unsafe-name') oddNames += 1
    else if (code !== 'file-exists') found.set(parts.join('/'), { parts, bytes: read() })
  }
  // If one is in several folders, the longest wins.
  for (const { path, absolutePath, kept } of agentFiles.toSorted((a, b) => a.sizeBytes - b.sizeBytes)) {
    const { parentId } = readSessionPath(path)
    const name = path.split('/').at(-1) ?? ''
    const bytes = () => {
      const own = readFileSync(absolutePath)
      const { issues } = parseSessionFile({ path, bytes: own })
      const form = otherForm(issues.map(({ code }) => ({ code, file: path })))
      if (form !== null) otherForms.set(form.message, form)
      return own
    }
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
    otherForms: [...otherForms.values()],
  }
}

/** Saved outputs and the session's own folder, if they are archived or in another folder of the project. */
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
  source: RecoverySource,
  target: Target,
  lost: { leftOut: number; lostAgents: number; oddNames: number },
): string[] {
  return [
    ...(target.moved === null ? [] : ['The original files are not changed.']),
    ...describeUse(source, target),
    ...(lost.leftOut > 0
      ? [`${formatPlural(lost.leftOut, 'message')} in damaged lines that Gemini CLI can’t load: left out.`]
      : []),
    ...(lost.lostAgents > 0
      ? [
          `${formatPlural(lost.lostAgents, 'sub-agent')} next to the session: left out, because Gemini CLI would delete both.`,
        ]
      : []),
    ...(lost.oddNames > 0
      ? [
          `${formatPlural(lost.oddNames, 'file')} next to the session with a name that gemini-dash does not write to: left out.`,
        ]
      : []),
  ]
}

/** What will happen to the session in that home, and what is unknown about its project. */
export function describeUse({ summary: { project } }: RecoverySource, { home }: Target): string[] {
  const { path } = project
  return [
    describeCleanUp(home),
    ...(path === null || isCliRunningIn(path) === null
      ? ['gemini-dash can’t tell whether Gemini CLI is running in the project. If it is, quit it first.']
      : []),
  ]
}

/** What will happen to a session in this home. */
function describeCleanUp(home: string): string {
  const { rule, problems } = cleanUpOf({ path: home })
  if (rule === null)
    return problems.length === 0
      ? 'Sessions in this Gemini folder are never deleted.'
      : `Gemini CLI deletes no sessions of this Gemini folder while ${problems[0]?.setting} is not valid.`
  const limits = [
    rule.maxAgeDays === null ? [] : `after ${formatPlural(rule.maxAgeDays, 'day')} without activity`,
    rule.maxCount === null ? [] : `when ${formatPlural(rule.maxCount, 'newer session')} of its project exist`,
  ].flat()
  return `Gemini CLI deletes it like any other session${limits.length === 0 ? '' : `, ${limits.join(' or ')}`}.`
}

/** Why nothing can be written there; null if it can. */
function problemOf({ home }: Target, parts: readonly string[]): RecoverAnswer['refused'][number] | null {
  try {
    resolvePlace(home, parts)
    return null
  } catch (error) {
    if (!(error instanceof UnsafePlace)) throw error
    return { code: error.code, message: error.message }
  }
}

/** Whether a Gemini CLI is running in this folder or below it; null: this system does not report it. */
export function isCliRunningIn(folder: string, processes = '/proc'): boolean | null {
  let ids: string[]
  try {
    ids = readdirSync(processes).filter((name) => /^\d+$/.test(name))
  } catch {
    return null
  }
  return ids.length === 0 ? null : ids.some((id) => isCli(join(processes, id), folder))
}

function isCli(process: string, folder: string): boolean {
  try {
    const place = readlinkSync(join(process, 'cwd'))
    if (place !== folder && !place.startsWith(`${folder}/`)) return false
    const [program = '', ...args] = readFileSync(join(process, 'cmdline'), 'utf8').split('\0')
    // A script follows the program that runs it and that program's options.
    const script = args.find((word) => !word.startsWith('-')) ?? ''
    return [program, script].some(
      (word) => /^gemini(\.js)?$/.test(basename(word)) || word.includes('/@google/gemini-cli/'),
    )
  } catch {
    // It has ended, or belongs to another user.
    return false
  }
}

export type Refusal = RecoverAnswer['refused'][number]

/** A file that grew this recently may grow again. */
const QUIET_MS = 120_000

/** Refuses sessions of another program: only that program can write them. */
export function refuseOtherProgram({ summary }: RecoverySource): Refusal[] {
  if (summary.source === 'gemini-cli') return []
  return [
    {
      code: 'other-program',
      message:
        'Conversations of Antigravity CLI can’t be recovered, moved or forked here: only Antigravity CLI can write them.',
    },
  ]
}

/** Reasons not to write a copy of this session anywhere. */
export function refuseSession(
  { summary, files, isLive }: RecoverySource,
  session: Session | undefined,
  nowMs: number,
): Refusal[] {
  if (summary.kind !== 'main')
    return [
      {
        code: 'no-main-session',
        message:
          'Only a session with its own file can be written. Sub-agents are written with their session.',
      },
    ]
  const from = addedFrom(summary)
  if (from !== null)
    return [
      {
        code: 'added',
        message: `This session was added to the archive from ${from}, and was never in the Gemini folder.`,
      },
    ]
  if (session === undefined || drawnMessages(session).length === 0)
    return [{ code: 'nothing-left', message: 'This session has no messages left.' }]
  const form = otherForm(session.issues)
  if (form !== null) return [form]
  // Archived files cannot grow.
  const own = new Set(summary.files.map(({ home, path }) => `${home}\n${path}`))
  const there = files.filter(({ kept, home, path }) => kept === undefined && own.has(`${home}\n${path}`))
  const hasGrown = there.some(({ mtimeMs }) => nowMs - mtimeMs < QUIET_MS)
  return hasGrown || (isLive && there.length > 0)
    ? [
        {
          code: 'grew',
          message: 'It grew within the last two minutes and may be in use. Try again later.',
        },
      ]
    : []
}

/** For the first file in a form that Gemini CLI does not read. */
function otherForm(issues: readonly { code: string; file: string }[]): Refusal | null {
  for (const { code, file } of issues) {
    const cause = OTHER_FORMS[code]
    if (cause !== undefined)
      return { code: 'other-form', message: `Gemini CLI cannot read ${file}: ${cause}` }
  }
  return null
}

/** By the code of the issue: why, and what to do. */
const OTHER_FORMS: Partial<Record<string, string>> = {
  'utf-16': 'it is written in UTF-16. Save it as UTF-8 first.',
  'spread-record':
    'its records are spread over several lines. Write one record per line first, for example with jq -c.',
}

/** `isThere`: whether a session is among those that the CLI would list with it. */
export function refuseSharedId(
  { sameId }: RecoverySource,
  isThere: (other: SessionSummary) => boolean,
): Refusal[] {
  if (!sameId.some(isThere)) return []
  return [
    {
      code: 'shared-id',
      message:
        'Another session in the Gemini folder has the same ID, and Gemini CLI would show only one of them.',
    },
  ]
}

export function refuseRunningCli(paths: readonly (string | null)[]): Refusal[] {
  return [...new Set(paths)].flatMap((path) =>
    path !== null && isCliRunningIn(path) === true
      ? [
          {
            code: 'cli-runs',
            message: `Gemini CLI is running in ${path}. Quit it and try again.`,
          },
        ]
      : [],
  )
}

/** Reasons not to write what is planned. */
export function refusePlan(target: Target, { files, otherForms }: RecoveryPlan): Refusal[] {
  return [...otherForms, ...files.flatMap(({ parts }) => problemOf(target, parts) ?? [])]
}

/** Whether a file in the CLI's place already contains the whole session. */
export async function isWhole(
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

/**
 * Writes a plan and reads it back; removes it again if that fails. Returns the id of the journal entry, and the problem.
 *
 * @throws if it could not be written; nothing is left behind then
 */
export async function writePlanned(
  writeOne: WriteOne,
  { target, plan, sessionId }: { target: Target; plan: RecoveryPlan; sessionId: string },
  about: Pick<HomeWrite, 'what' | 'sessionKey'>,
): Promise<{ id: string; problem: string | null }> {
  const { entry, problem } = await writeOne({ ...about, home: target.home, files: plan.files }, async () =>
    (await holds(target, plan, sessionId)) ? null : 'The written files can’t be read back as that session.',
  )
  return { id: entry.id, problem: problem === null ? null : `${problem} They were removed.` }
}

/** Read by our own reader; what is written has to be readable by the CLI's own loader, which tests compare with ours. */
async function holds(target: Target, { log, ids }: RecoveryPlan, sessionId: string): Promise<boolean> {
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
  return loads(file, sessionId, ids)
}
