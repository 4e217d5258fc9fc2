import { closeSync } from 'node:fs'
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
import { findSources, type KeepSource } from './find-sources.ts'
import { isMissing } from './gone/bring-out.ts'
import type { KeepSetting } from './keep-settings.ts'

const DAY_NS = 24n * 60n * 60n * 1_000_000_000n

export interface KeepRun {
  /** Files of which something was taken in. */
  taken: number
  /** Not allowed to be read, or not a file any more. */
  unread: number
  /** Older than what is to be taken in. */
  tooOld: number
  /** They changed under the reading: the next run takes them. */
  changing: number
  /** Why not everything could be kept that should be. */
  hindrance: unknown
}

export interface KeepTask {
  archive: Archive
  home: GeminiHome
  setting: KeepSetting
  onProgress: (done: number, total: number) => void
  /** Nobody wants it any more: what was taken until then stays. */
  isStopped: () => boolean
  /** It is never to be kept again. */
  isForgotten: (source: KeepSource) => boolean
}

/**
 * Looks at every file of a home and takes in what is new or has changed, what was last written longest ago first: it is
 * deleted first. The caller has the archive for itself. What hinders the whole run ends it; what was taken until then stays.
 */
export async function keepHome({
  archive,
  home,
  setting,
  onProgress,
  isStopped,
  isForgotten,
}: KeepTask): Promise<KeepRun | null> {
  const nowMs = Date.now()
  const run: KeepRun = { taken: 0, unread: 0, tooOld: 0, changing: 0, hindrance: null }
  archive.refresh()
  const sources = await findSources(home, (path) => archive.manifest.find(path)?.label ?? null)
  if (sources === null) return null
  const writer = new ArchiveWriter(archive, { maxBytes: setting.maxBytes ?? Number.POSITIVE_INFINITY, nowMs })
  const at = new Date(nowMs).toISOString()
  try {
    const changed = findChanged(archive, sources, setting, run).filter((source) => !isForgotten(source))
    for (const [place, source] of changed.entries()) {
      if (isStopped()) break
      onProgress(place, changed.length)
      await keepSource(writer, source, at, run)
    }
    if (!isStopped()) {
      await noteGone(writer, home, sources, at)
      await writer.note({ kind: 'looked', at })
    }
    await writer.commit()
  } catch (error) {
    run.hindrance = error
    // what was taken in before is named
    if (error instanceof LimitReached) await writer.commitStored()
  } finally {
    await writer.close(nowMs)
  }
  return run
}

function findChanged(
  archive: Archive,
  sources: KeepSource[],
  setting: KeepSetting,
  run: KeepRun,
): KeepSource[] {
  const damaged = new Set(archive.damagedVersions().map(({ file }) => file.path))
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
    return known === null || hasChanged(known, stamp) || damaged.has(path)
  })
  return changed.sort((a, b) => Number(BigInt(a.stamp.mtimeNs) - BigInt(b.stamp.mtimeNs)))
}

/** One that only seems to have grown is read as a whole, now that it rests. */
function hasChanged(known: KeptFile, stamp: KeepSource['stamp']): boolean {
  return known.gone !== null || known.isAssumed || !isSameStamp(known.stamp, stamp)
}

async function keepSource(
  writer: ArchiveWriter,
  source: KeepSource,
  at: string,
  run: KeepRun,
): Promise<void> {
  const { path, label, stamp } = source
  const opened = openNeighbour(source)
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
      await writer.note(note)
      if (note.kind !== 'same') run.taken++
      if (file.label.sessionId !== label.sessionId) await writer.note({ kind: 'label', file: file.id, label })
    }
  } catch (error) {
    if (error instanceof ShrunkFile) run.changing++
    else if (isReadFault(error)) run.unread++
    else throw error
  } finally {
    closeSync(opened.descriptor)
  }
}

/** What was there and is not where it was. A folder that cannot be looked into tells nothing. */
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

/** Of one file; that the disk is full or the archive's folder gone hinders all. */
function isReadFault(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  return syscall === 'read' && (code === 'EIO' || code === 'EACCES' || code === 'EPERM')
}
