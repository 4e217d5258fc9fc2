import { join } from 'node:path'
import { basename, extname } from 'node:path/posix'
import { formatPlural } from '@gemini-dash/api/figures'
import { type Archive, ArchiveWriter, holdsVersion, type KeptFile, LimitReached } from '@gemini-dash/archive'
import { readSessionPath } from 'gemini-sessions'
import { findHomes, type GeminiHome } from 'gemini-sessions/node'
import { isMissing } from './bring-out.ts'
import { findSources, type KeepSource } from './forget-kept.ts'
import { type KeepRun, type KeepSetting, keepSource } from './keep-home.ts'

/** Counts of opened files by outcome. */
export interface AddedFiles {
  added: number
  /** The archive already had the same content. */
  known: number
  /** Of sessions in this user's history. */
  inHistory: number
  /** Of sessions that were deleted from gemini-dash. */
  forgotten: number
}

interface AddTask {
  archive: Archive
  home: GeminiHome
  setting: KeepSetting
  /** The Gemini folder that contains the opened files. */
  openedFolder: string
  isForgotten: (source: KeepSource) => boolean
}

/** Gemini CLI never creates a folder with a space or a capital letter. */
const FOLDER = 'Added files'
const HASH = /^[0-9a-f]{64}$/
const ID_START = 8

/**
 * Adds opened files to the archive of a home, under paths as in that home: nothing is written into the home, where they count as missing.
 * Sessions that the home or its archive already has are left as they are. The caller holds the archive exclusively.
 *
 * @throws if not all of them could be added; those recorded before stay
 */
export async function addOpened({
  archive,
  home,
  setting,
  openedFolder,
  isForgotten,
}: AddTask): Promise<AddedFiles> {
  const result: AddedFiles = { added: 0, known: 0, inHistory: 0, forgotten: 0 }
  const nowMs = Date.now()
  const at = new Date(nowMs).toISOString()
  archive.refresh()
  const own = await ownIds(archive, home)
  const opened = await sourcesIn(openedFolder)
  const writer = new ArchiveWriter(archive, { maxBytes: setting.maxBytes ?? Number.POSITIVE_INFINITY, nowMs })
  let failure: unknown = null
  try {
    for (const source of opened) {
      const wanted = { ...source, path: pathInHome(source) }
      if (isForgotten(wanted)) result.forgotten += 1
      else if (idsOf(source).some((id) => own.has(id))) result.inHistory += 1
      else if (await isKnown(archive, source)) result.known += 1
      else {
        const run: KeepRun = { taken: 0, unread: 0, tooOld: 0, changing: 0, moving: 0, hindrance: null }
        const label = { ...source.label, addedFrom: basename(source.path) }
        await keepSource(writer, { ...wanted, path: freePath(archive, home, wanted), label }, at, run)
        // a path is taken once this is recorded
        await writer.commit()
        result.added += run.taken
      }
    }
  } catch (error) {
    failure = error
    if (error instanceof LimitReached) await writer.commitStored()
  } finally {
    await writer.close(nowMs).catch((error: unknown) => {
      failure ??= error
    })
  }
  if (failure !== null) throw failure
  return result
}

/** The outcomes as sentences. */
export function describeAdded({ added, known, inHistory, forgotten }: AddedFiles): string {
  const counts = [
    [added, 'added to the archive: in your history, it is marked as added'],
    [known, 'already in the archive'],
    [inHistory, 'skipped: its session is already in your history'],
    [forgotten, 'skipped: its session was deleted from gemini-dash'],
  ] as const
  const sentences = counts.flatMap(([count, what]) =>
    count === 0 ? [] : [`${formatPlural(count, 'file')} ${count === 1 ? 'was' : 'were'} ${what}.`],
  )
  return sentences.length === 0 ? 'No file could be read.' : sentences.join(' ')
}

/** If the file was never in its home: what it was opened from. null otherwise. */
function sourceOf({ label }: Pick<KeptFile, 'label'>): string | null {
  return label.addedFrom ?? null
}

async function sourcesIn(folder: string): Promise<KeepSource[]> {
  const [home] = findHomes({ homeArguments: [folder], env: {}, userHome: folder })
  const found = home === undefined ? null : await findSources(home, () => null)
  return found?.sources ?? []
}

/** Ids of sessions that are in the home, or that its archive took from there. */
async function ownIds(archive: Archive, home: GeminiHome): Promise<Set<string>> {
  const found = await findSources(home, (path) => archive.manifest.find(path)?.label ?? null)
  const kept = [...archive.manifest.files()].filter((file) => sourceOf(file) === null)
  return new Set([...(found?.sources ?? []), ...kept].flatMap(({ label }) => label.sessionId ?? []))
}

function idsOf({ path, label }: KeepSource): string[] {
  return [label.sessionId ?? null, readSessionPath(path).parentId].flatMap((id) => id ?? [])
}

/** The same project folder always has the same hash; a name alone could be anyone's. */
function pathInHome({ path, label }: KeepSource): string {
  const [tmp, project = '', ...places] = path.split('/')
  const name = places.pop() ?? ''
  const start = (label.sessionId ?? '').slice(0, ID_START)
  const isLog = label.kind === 'session' || label.kind === 'subagent'
  const named = isLog && !name.includes(start) ? withSuffix(name, `-${start}`) : name
  return [tmp, HASH.test(project) ? project : FOLDER, ...places, named].join('/')
}

/** A later state of the same file is stored as another version of it. */
function freePath(archive: Archive, home: GeminiHome, { path, label }: KeepSource): string {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? path : withSuffix(path, `-${number}`)
    const there = archive.manifest.find(free)
    const isSame =
      there !== null && sourceOf(there) !== null && (label.sessionId ?? '') === there.label.sessionId
    if (isMissing(`${home.path}/${free}`) && (there === null || isSame)) return free
  }
}

function withSuffix(path: string, suffix: string): string {
  const ending = extname(path)
  return `${path.slice(0, path.length - ending.length)}${suffix}${ending}`
}

async function isKnown(archive: Archive, { folder, place, stamp }: KeepSource): Promise<boolean> {
  for (const file of archive.manifest.files()) {
    const version = file.versions.at(-1)
    const isAlike = sourceOf(file) !== null && version?.sizeBytes === stamp.sizeBytes
    if (isAlike && archive.isWhole(version) && (await holdsVersion(join(folder, place), version))) return true
  }
  return false
}
