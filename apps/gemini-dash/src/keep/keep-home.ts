import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { dirname } from 'node:path/posix'
import type { KeepStatus } from '@gemini-dash/api'
import { formatSize } from '@gemini-dash/api/figures'
import {
  type Archive,
  ArchiveWriter,
  isSameStamp,
  type KeptFile,
  LimitReached,
  ShrunkFile,
  takeFile,
} from '@gemini-dash/archive'
import { openTrustedFolder } from '@gemini-dash/session-index'
import { type GeminiHome, openNeighbour } from 'gemini-sessions/node'
import { z } from 'zod'
import { type KeptList, ListFile } from '../own-data/kept-list.ts'
import type { TellProblem } from '../own-data/own-file.ts'
import { isMissing } from './bring-out.ts'
import { findSessionSources, findSources, type KeepSource } from './forget-kept.ts'
import { openLine, sealLine } from './gone-list.ts'

const DAY_NS = 24n * 60n * 60n * 1_000_000_000n

export interface KeepRun {
  /** Files from which something was archived. */
  taken: number
  /** Not readable, or no longer a file. */
  unread: number
  /** Older than the age limit. */
  tooOld: number
  /** Changed while being read: the next run archives them. */
  changing: number
  /** Conversations that are being written: archived once they are idle. */
  moving: number
  /** Why not everything could be archived that should be. */
  hindrance: unknown
}

interface KeepTask {
  archive: Archive
  home: GeminiHome
  setting: KeepSetting
  /** Absolute path of a session's file: only that session is scanned; null: the whole home. */
  sessionFile: string | null
  onProgress: (done: number, total: number) => void
  /** The run is no longer wanted: what was archived until then stays. */
  isStopped: () => boolean
  /** It must never be archived again. */
  isForgotten: (source: KeepSource) => boolean
}

/**
 * Scans every file of a home and archives what is new or changed, least recently written first, since those are deleted first. The caller
 * holds the archive exclusively. An error that affects the whole run ends it; what was archived until then stays.
 */
export async function keepHome({
  archive,
  home,
  setting,
  sessionFile,
  onProgress,
  isStopped,
  isForgotten,
}: KeepTask): Promise<KeepRun | null> {
  const nowMs = Date.now()
  const run: KeepRun = { taken: 0, unread: 0, tooOld: 0, changing: 0, moving: 0, hindrance: null }
  archive.refresh()
  const labelOf = (path: string) => archive.manifest.find(path)?.label ?? null
  const found =
    sessionFile === null
      ? await findSources(home, labelOf)
      : await findSessionSources(home, labelOf, sessionFile)
  if (found === null) return null
  const { sources } = found
  run.moving = found.moving
  const at = new Date(nowMs).toISOString()
  let writer: ArchiveWriter | null = null
  try {
    writer = new ArchiveWriter(archive, { maxBytes: setting.maxBytes ?? Number.POSITIVE_INFINITY, nowMs })
    const changed = findChanged(archive, sources, setting, run).filter((source) => !isForgotten(source))
    for (const [place, source] of changed.entries()) {
      if (isStopped()) break
      onProgress(place, changed.length)
      await keepSource(writer, source, at, run)
    }
    if (!isStopped() && sessionFile === null) {
      await noteGone(writer, home, sources, at)
      await writer.note({ kind: 'looked', at })
    }
    await writer.commit()
  } catch (error) {
    run.hindrance = error
    // record what was stored before
    if (error instanceof LimitReached) await writer?.commitStored()
  } finally {
    await writer?.close(nowMs).catch((error: unknown) => {
      run.hindrance ??= error
    })
  }
  return run
}

function findChanged(
  archive: Archive,
  sources: KeepSource[],
  setting: KeepSetting,
  run: KeepRun,
): KeepSource[] {
  // an earlier version is no longer in the home
  const isDamaged = ({ versions }: KeptFile) =>
    versions.slice(-1).some((version) => !archive.isWhole(version))
  const oldestNs =
    setting.maxAgeDays === null
      ? 0n
      : BigInt(Date.now()) * 1_000_000n - (BigInt(Math.round(setting.maxAgeDays * 1000)) * DAY_NS) / 1000n
  const changed = sources.filter(({ path, stamp }) => {
    const known = archive.manifest.find(path)
    if (known === null && BigInt(stamp.mtimeNs) < oldestNs) {
      run.tooOld++
      return false
    }
    return known === null || hasChanged(known, stamp) || isDamaged(known)
  })
  return changed.sort((a, b) => Number(BigInt(a.stamp.mtimeNs) - BigInt(b.stamp.mtimeNs)))
}

/** A file that only appears to have grown is read in full once it is idle. */
function hasChanged(known: KeptFile, stamp: KeepSource['stamp']): boolean {
  return known.gone !== null || known.isAssumed || !isSameStamp(known.stamp, stamp)
}

export async function keepSource(
  writer: ArchiveWriter,
  source: KeepSource,
  at: string,
  run: KeepRun,
): Promise<void> {
  const { path, label, stamp } = source
  const opened = await openSource(writer.archive, source)
  if (opened === 'moving') run.changing++
  if (opened === 'moving' || opened === 'nothing') return
  if (opened === null) {
    run.unread += isMissing(`${source.folder}/${source.place}`) ? 0 : 1
    return
  }
  try {
    const file = writer.file(path, label)
    const isCertain = file.isAssumed && isSameStamp(file.stamp, stamp)
    const isLog = path.endsWith('.jsonl')
    const note = await takeFile(writer, { descriptor: opened.descriptor, isLog }, { file, isCertain }, at)
    if (note === null) run.changing++
    else {
      // the stamp of extracted rows is their own time, not the state of the database
      await writer.note(source.conversation !== undefined && 'stamp' in note ? { ...note, stamp } : note)
      if (note.kind !== 'same') run.taken++
      // a file added from elsewhere may later appear in the home, too
      const isOther = file.label.sessionId !== label.sessionId || file.label.addedFrom !== label.addedFrom
      if (isOther) await writer.note({ kind: 'label', file: file.id, label })
    }
  } catch (error) {
    if (error instanceof ShrunkFile) run.changing++
    else if (isReadFault(error)) run.unread++
    else throw error
  } finally {
    closeSync(opened.descriptor)
  }
}

/** States of databases without anything to archive: not read again on each scan. */
const nothingIn = new Set<string>()

/** null: unreadable. `moving`: it changes while being read. `nothing`: its page explains why there is nothing to archive. */
async function openSource(
  archive: Archive,
  source: KeepSource,
): Promise<{ descriptor: number } | 'moving' | 'nothing' | null> {
  const { conversation, folder } = source
  if (conversation === undefined) return openNeighbour(source)
  const state = `${folder}\n${conversation}\n${Object.values(source.stamp).join()}`
  if (nothingIn.has(state)) return 'nothing'
  // most homes have no conversations: load the reader only if needed
  const { copyRows } = await import('@gemini-dash/antigravity-sessions')
  const place = join(archive.folder, 'rows')
  const descriptor = openSync(place, 'w+', 0o600)
  let outcome: Awaited<ReturnType<typeof copyRows>> | null = null
  try {
    // removed at once, so that a killed process leaves nothing
    rmSync(place)
    outcome = await copyRows({ home: dirname(folder), id: conversation }, descriptor)
  } catch (error) {
    if (!isRefusal(error)) throw error
  } finally {
    if (outcome !== 'copied') closeSync(descriptor)
  }
  if (outcome === 'nothing') nothingIn.add(state)
  return outcome === 'copied' ? { descriptor } : outcome
}

/** The system denies access to the database; a failed write, by contrast, affects the whole run. */
function isRefusal(error: unknown): boolean {
  const { syscall } = error as NodeJS.ErrnoException
  return syscall === 'open' || isReadFault(error)
}

/** Records files that are no longer in their place. An unreadable folder proves nothing. */
async function noteGone(
  writer: ArchiveWriter,
  home: GeminiHome,
  sources: KeepSource[],
  at: string,
): Promise<void> {
  const there = new Set(sources.map(({ path }) => path))
  const missing = [...writer.archive.manifest.files()].filter(
    ({ path, gone }) => gone === null && !there.has(path) && isMissing(`${home.path}/${path}`),
  )
  for (const { id, lastSeen } of missing) await writer.note({ kind: 'gone', file: id, at, lastSeen })
}

/** An error with one file; a full disk or a missing archive folder affects the whole run. */
function isReadFault(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  return syscall === 'read' && (code === 'EIO' || code === 'EACCES' || code === 'EPERM')
}

/** Enough for thousands of long sessions. */
const DEFAULT_MAX_BYTES = 10e9

/** The user's settings for archiving one home. */
const keepSettingSchema = z.looseObject({
  /** `GeminiHome.path` */
  home: z.string(),
  isOn: z.boolean(),
  maxBytes: z.number().positive().nullable(),
  maxAgeDays: z.number().positive().nullable(),
})
export type KeepSetting = z.infer<typeof keepSettingSchema>

export function defaultSetting(home: string): KeepSetting {
  return { home, isOn: false, maxBytes: DEFAULT_MAX_BYTES, maxAgeDays: null }
}

/** In `keep.json` of the data folder. */
export function openKeepSettings(folder: string, tell: TellProblem): KeptList<KeepSetting> {
  return new ListFile({
    folder,
    name: 'keep',
    item: keepSettingSchema,
    what: 'Your archive settings',
    tell,
  })
}

/** What the last run could not archive, in the archive's folder. */
const PROBLEM_FILE = 'problem.txt'
/** Reserved before anything else is written, so that later messages fit on a full disk. */
const ROOM_BYTES = 2048

export interface KeepProblem {
  kind: NonNullable<KeepStatus['hindrance']>
  text: string
}

const recordedSchema = z.object({
  /** pending: no scan has ended yet. none: the last one archived everything. */
  kind: z.enum(['limit', 'no-room', 'other', 'pending', 'none']),
  text: z.string(),
})

const UNREADABLE: KeepProblem = {
  kind: 'other',
  text: 'The result of the last scan can’t be read. Scan again: "gemini-dash keep now".',
}
const PENDING: KeepProblem = {
  kind: 'other',
  text: 'No scan of these sessions has finished yet. Scan again: "gemini-dash keep now".',
}

/** Records that no scan has ended yet, until one has. @throws if there is no room for that */
export function expectLook(folder: string): void {
  openTrustedFolder(join(folder, '..'))
  openTrustedFolder(folder)
  if (!existsSync(join(folder, PROBLEM_FILE))) write(folder, { kind: 'pending', text: '' })
}

/** Other processes report the status, too. */
export function tellOthers(folder: string, problem: KeepProblem | null): void {
  try {
    write(folder, problem ?? { kind: 'none', text: '' })
  } catch {
    // Only this process reports it.
  }
}

/** `isLookedAt`: a scan is under way, or starts by itself. */
export function recordedProblem(folder: string, { isLookedAt }: { isLookedAt: boolean }): KeepProblem | null {
  const recorded = read(join(folder, PROBLEM_FILE))
  if (recorded?.kind === 'pending') return isLookedAt ? null : PENDING
  return recorded === null || recorded.kind === 'none' ? null : (recorded as KeepProblem)
}

/** Overwrites in place: a full disk has no room for another file. */
function write(folder: string, recorded: z.infer<typeof recordedSchema>): void {
  const path = join(folder, PROBLEM_FILE)
  const line = sealLine(recorded)
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  try {
    const sizeBytes = Math.max(ROOM_BYTES, line.length, fstatSync(descriptor).size)
    writeSync(descriptor, Buffer.concat([line, Buffer.alloc(sizeBytes - line.length, ' ')]), 0, sizeBytes, 0)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function read(path: string): z.infer<typeof recordedSchema> | null {
  let text = ''
  try {
    text = readFileSync(path, 'utf8').trimEnd()
    return recordedSchema.parse(openLine(Buffer.from(text)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    return readEarlier(text) ?? UNREADABLE
  }
}

/** The format before it was sealed: the kind, then the sentence. */
function readEarlier(text: string): KeepProblem | null {
  const [kind, ...sentence] = text.split('\n')
  const isKnown = kind === 'limit' || kind === 'no-room' || kind === 'other'
  return isKnown && sentence.length > 0 ? { kind, text: sentence.join('\n') } : null
}

/** A full disk or a reached limit: what stopped, what stays, what to do. */
export function describeHindrance(
  hindrance: unknown,
  { folder }: Archive,
  { maxBytes }: KeepSetting,
): KeepProblem | null {
  if (hindrance === null) return null
  if (hindrance instanceof LimitReached)
    return {
      kind: 'limit',
      text: `The archive has reached its limit of ${formatSize(maxBytes ?? 0)} and adds nothing more. Archived sessions stay. To raise the limit: "gemini-dash keep on --max-size 20GB".`,
    }
  const { code } = hindrance as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return {
      kind: 'no-room',
      text: `There is no room left on the disk of ${folder} (${code}), so not everything could be archived. Archived sessions stay.`,
    }
  const reason = hindrance instanceof Error ? hindrance.message : String(hindrance)
  return { kind: 'other', text: `Not everything could be archived in ${folder}: ${reason}` }
}
