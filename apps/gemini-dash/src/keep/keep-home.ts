import { closeSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dirname } from 'node:path/posix'
import {
  type Archive,
  ArchiveWriter,
  isSameStamp,
  type KeptFile,
  LimitReached,
  ShrunkFile,
  takeFile,
} from '@gemini-dash/archive'
import { type GeminiHome, openNeighbour } from 'gemini-sessions/node'
import { z } from 'zod'
import { type KeptList, ListFile } from '../own-data/kept-list.ts'
import type { TellProblem } from '../own-data/own-file.ts'
import { isMissing } from './bring-out.ts'
import { findSessionSources, findSources, type KeepSource } from './forget-kept.ts'

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
