import { randomUUID } from 'node:crypto'
import { createWriteStream, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { basename } from 'node:path/posix'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import {
  Archive,
  DamagedContent,
  holdsVersion,
  type KeptFile,
  type KeptVersion,
  readVersion,
  UnknownCodec,
} from '@gemini-dash/archive'
import { claimFolder } from '@gemini-dash/session-index'
import type { DiscoveredFile, GeminiHome } from 'gemini-sessions/node'
import { conversationFiles, scanAll } from '../store/sync/scan.ts'
import { type ArchiveState, stateOf, WHOLE } from './archive-state.ts'
import {
  archiveFolder,
  archiveStamp,
  type GoneEntry,
  GoneFolder,
  type GoneList,
  originalPath,
} from './gone-list.ts'

/** Something that is in the archive but not in the home. */
interface Wanted {
  file: KeptFile
  /** Newest first: if one is damaged, the previous one is better than nothing. */
  versions: { version: KeptVersion; number: number }[]
  entry: Omit<GoneEntry, 'version' | 'sizeBytes'>
}

export function isMissing(path: string): boolean {
  try {
    lstatSync(path)
    return false
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR'
  }
}

/**
 * Updates `gone` of an archive to contain what the home no longer has: the last state of missing files, and those versions of overwritten
 * or truncated logs that contain something found nowhere else. Returns whether anything changed. `isLess`: something was removed from the
 * archive, and files extracted by another process may still contain it.
 *
 * @throws if it cannot be written, or another process does not finish
 */
export async function bringOut(
  archive: Archive,
  home: GeminiHome,
  { isLess = false } = {},
): Promise<boolean> {
  if (!archive.exists()) return false
  const folder = new GoneFolder(archive.folder)
  const release = await claimGone(folder, { isLess })
  try {
    const stamp = archiveStamp(archive.folder)
    archive.refresh()
    archive.prove(Date.now())
    const scan = await scanAll([home])
    const there = [...scan.files, ...conversationFiles(scan)]
    const before = folder.read()
    // results found while a part was unreadable may be wrong
    const known = (folder.checked()?.archive.damage ?? null) === null ? before.judged : {}
    const isThere = scan.missing === undefined
    const { list, places } = isThere
      ? await goneNow(archive, home, { folder, files: there, before: { ...before, judged: known } })
      : // An unplugged disk has lost nothing; but what was erased in the meantime is no longer shown.
        { list: heldOf(archive, before), places: [] }
    // If the archive lost its record of a file, the extracted copy is all that is left.
    if (!isLess) list.entries.push(...unknownEntries(archive, home, { folder, before }))
    const state = stateOf(archive)
    const isNews =
      JSON.stringify(list) !== JSON.stringify(before) ||
      // so that readers notice that the list was rewritten
      JSON.stringify(folder.checked()?.archive ?? WHOLE) !== JSON.stringify(state)
    if (isNews) folder.write(list)
    // until it is repaired, any extracted file may be what the archive is missing
    if (isLess || state.damage === null) sweep(folder, [...list.entries.map(({ place }) => place), ...places])
    const paths = isThere ? there.map(({ path }) => path) : null
    folder.setChecked({ state: folder.stateFor(paths, stamp), archive: state })
    return isNews
  } finally {
    release()
  }
}

async function goneNow(
  archive: Archive,
  home: GeminiHome,
  { folder, files, before }: { folder: GoneFolder; files: readonly DiscoveredFile[]; before: GoneList },
): Promise<{ list: GoneList; places: string[] }> {
  const judged = await judgeVersions(archive, before.judged)
  const wanted = findGone(archive, home, { files, judged })
  const list = await writeWanted(archive, folder, wanted, { ...before, judged })
  // keep extracted files that are damaged in the archive: a repair may need them
  return { list, places: wanted.map(({ entry }) => entry.place) }
}

function unknownEntries(
  archive: Archive,
  home: GeminiHome,
  { folder, before }: { folder: GoneFolder; before: GoneList },
): GoneEntry[] {
  return before.entries.filter(
    ({ path, place, stamp }) =>
      archive.manifest.find(originalPath(path)) === null &&
      isMissing(`${home.path}/${path}`) &&
      stamp !== undefined &&
      stamp === folder.stampOf(place),
  )
}

/** The same, given the data folder. */
export async function bringOutOf(dataFolder: string, home: GeminiHome): Promise<boolean> {
  return bringOut(new Archive(archiveFolder(dataFolder, home.path)), home)
}

/** Number of missing files that could be extracted, and the state of the archive. Writes nothing. */
export async function countGone(
  dataFolder: string,
  home: GeminiHome,
): Promise<{ missing: number; state: ArchiveState }> {
  const archive = new Archive(archiveFolder(dataFolder, home.path))
  if (!archive.exists()) return { missing: 0, state: WHOLE }
  archive.refresh()
  archive.prove(Date.now())
  const { entries, judged } = new GoneFolder(archive.folder).read()
  const known = new Set(entries.map(({ place }) => place))
  const scan = await scanAll([home])
  const files = [...scan.files, ...conversationFiles(scan)]
  const wanted = findGone(archive, home, { files, judged })
  return {
    missing: wanted.filter(({ entry }) => !known.has(entry.place)).length,
    state: stateOf(archive),
  }
}

interface Home {
  files: readonly DiscoveredFile[]
  /** Which overwritten versions contain something that the next one lacks. */
  judged: GoneList['judged']
}

/** What is in the archive, but not in this home. Opens no files. */
function findGone(archive: Archive, home: GeminiHome, { files, judged }: Home): Wanted[] {
  const there = new Set(files.map(({ path }) => path))
  const byName = new Map(files.map((file) => [basename(file.path), file]))
  const now = new Date().toISOString()
  return [...archive.manifest.files()].flatMap((file) => {
    const { path, label, lastSeen } = file
    const kind = label.kind ?? ''
    if (file.versions.length === 0 || !isOfHome(path)) return []
    const versions = file.versions.map((version, number) => ({ version, number }))
    const found: Wanted[] = []
    const isGone = !there.has(path) && isMissing(`${home.path}/${path}`)
    if (isGone && !isElsewhere(archive, file, byName.get(basename(path)))) {
      const from = label.addedFrom
      const cause = from == null ? ('deleted' as const) : ('added' as const)
      const kept = { cause, ...(from != null && { from }), lastSeen, missed: file.gone ?? now }
      const firstSeen = file.versions[0]?.firstSeen
      const entry = { path, place: path, kind, firstSeen, kept }
      found.push({ file, versions: versions.toReversed(), entry })
    }
    for (const { version, number } of versions.slice(0, -1)) {
      if (judged[versionName(file, number)] !== true) continue
      const missed = file.versions[number + 1]?.firstSeen ?? now
      const kept = { cause: 'overwritten' as const, lastSeen: version.replaced ?? lastSeen, missed }
      const place = `overwritten/${file.id}-${number + 1}`
      const entry = { path: `${path}.kept-${number + 1}`, place, kind, kept }
      found.push({ file, versions: [{ version, number }], entry })
    }
    return found
  })
}

/** An archive from elsewhere may contain any path. */
function isOfHome(path: string): boolean {
  return !isAbsolute(path) && !path.split(/[/\\]/).includes('..')
}

/**
 * When a project was moved, its sessions moved with it: a file that is complete in another folder, with the same name and id, is not
 * missing.
 */
function isElsewhere(archive: Archive, file: KeptFile, other: DiscoveredFile | undefined): boolean {
  if (other === undefined || (file.label.kind !== 'session' && file.label.kind !== 'subagent')) return false
  const id = archive.manifest.find(other.path)?.label.sessionId
  const isSame = id === undefined || id === file.label.sessionId
  return isSame && other.sizeBytes >= (file.versions.at(-1)?.sizeBytes ?? 0)
}

async function writeWanted(
  archive: Archive,
  folder: GoneFolder,
  wanted: readonly Wanted[],
  before: GoneList,
): Promise<GoneList> {
  const known = new Map(before.entries.map((entry) => [entry.place, entry]))
  const entries: GoneEntry[] = []
  const damaged: GoneList['damaged'] = []
  for (const { file, versions, entry } of wanted) {
    for (const { version, number } of versions) {
      const made: GoneEntry = { ...entry, version: versionName(file, number), sizeBytes: version.sizeBytes }
      const earlier = known.get(entry.place)
      const stamp = folder.stampOf(entry.place) ?? undefined
      // keep the times recorded first
      const kept = earlier?.version === made.version && earlier.sizeBytes === made.sizeBytes ? earlier : made
      if (stamp !== undefined && (kept.stamp === stamp || (await isContent(folder, entry.place, version)))) {
        entries.push({ ...kept, stamp })
        break
      }
      const outcome = await write(archive, folder, { file, version, number }, entry.place)
      if (outcome === 'written') {
        entries.push({ ...made, stamp: folder.stampOf(entry.place) ?? undefined })
        break
      }
      // it was reported when it was given up
      if (version.lost !== null) continue
      const { lastSeen } = entry.kept
      damaged.push({ path: file.path, lastSeen, ...(outcome === 'newer-node' && { isOfNewerNode: true }) })
    }
  }
  return { ...before, entries, damaged }
}

/** Whether the extracted file is this version, byte for byte. */
async function isContent(folder: GoneFolder, place: string, version: KeptVersion): Promise<boolean> {
  try {
    return await holdsVersion(join(folder.files, place), version)
  } catch {
    return false
  }
}

interface Source {
  file: KeptFile
  version: KeptVersion
  number: number
}

/** If it is not written, nothing is left at its place. */
async function write(
  archive: Archive,
  folder: GoneFolder,
  { file, version, number }: Source,
  place: string,
): Promise<'written' | 'damaged' | 'newer-node'> {
  const path = join(folder.files, place)
  const unfinished = join(folder.path, 'unfinished')
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    await pipeline(
      Readable.from(readVersion(archive, version)),
      createWriteStream(unfinished, { mode: 0o600 }),
    )
    if (!isMissing(path) && archive.damage() !== null) putAside(folder, path)
    const isNewest = number === file.versions.length - 1
    const writtenMs = isNewest
      ? Number(BigInt(file.stamp.mtimeNs) / 1_000_000n)
      : Date.parse(version.firstSeen)
    utimesSync(unfinished, writtenMs / 1000, writtenMs / 1000)
    renameSync(unfinished, path)
    return 'written'
  } catch (error) {
    rmSync(unfinished, { force: true })
    if (error instanceof UnknownCodec) return 'newer-node'
    if (error instanceof DamagedContent || isOfItsName(error)) return 'damaged'
    throw error
  }
}

/** The file is not the expected one, but a repair may need it. */
function putAside({ path: folder }: GoneFolder, path: string): void {
  mkdirSync(join(folder, 'aside'), { recursive: true, mode: 0o700 })
  renameSync(path, join(folder, 'aside', randomUUID()))
}

/** A former folder is a file now, or the name is too long for this disk. */
function isOfItsName(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EEXIST' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'ENAMETOOLONG'
}

/** Removes extracted files that came back to the home, or were erased. */
function sweep({ path, files }: GoneFolder, places: readonly string[]): void {
  // left by a process that was killed while writing
  rmSync(join(path, 'unfinished'), { force: true })
  rmSync(join(path, 'aside'), { recursive: true, force: true })
  const wanted = new Set(places.map((place) => join(files, place)))
  const sweepFolder = (folder: string): boolean => {
    let isEmpty = true
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() ? !sweepFolder(path) : wanted.has(path)) isEmpty = false
      else rmSync(path, { recursive: true, force: true })
    }
    return isEmpty
  }
  if (!isMissing(files)) sweepFolder(files)
}

/** How long to wait for another process that is extracting the same files. */
const LONGEST_WAIT_MS = 10_000
/** The longer limit after something was removed from the archive: the other process may extract what must no longer exist. */
const LONGEST_WAIT_FOR_LESS_MS = 10 * 60 * 1000
const WAIT_STEP_MS = 50

/** Returns a function that releases the folder. @throws if it cannot be used, or another process does not finish */
export async function claimGone(
  { path }: GoneFolder,
  {
    isLess,
    longestMs = isLess ? LONGEST_WAIT_FOR_LESS_MS : LONGEST_WAIT_MS,
  }: { isLess: boolean; longestMs?: number },
): Promise<() => void> {
  // Counts steps, not time: suspended time and clock changes do not count.
  for (let waitedMs = 0; ; waitedMs += WAIT_STEP_MS) {
    const claimed = claimFolder(path, () => {})
    if (claimed.kind === 'owned') return claimed.release
    if (claimed.kind === 'unusable') throw new Error(claimed.reason)
    if (waitedMs > longestMs)
      throw new Error(
        `another gemini-dash (process ${claimed.pid}) has been writing to ${path} for ${Math.round(waitedMs / 1000)} s`,
      )
    await setTimeout(WAIT_STEP_MS)
  }
}

/** Each line of a prompt log has its own timestamp. */
const TYPED = /"timestamp"\s*:\s*"([^"\\]{1,200})"/g
/** Ids of rows, messages and tool calls, in logs and in documents. */
const NAMED = /"id"\s*:\s*"([^"\\]{1,200})"/g
/** A match may span two pieces. */
const LONGEST_MATCH = 256

/**
 * Which versions of session files and prompt logs contain something that the next version of the same file lacks: it is smaller, or does
 * not have all of its ids. A log only grows, and a document is rewritten with all its content: then nothing was lost. `known`: earlier
 * results, which stay valid; each version is read only once in the life of an archive.
 */
async function judgeVersions(
  archive: Archive,
  known: Readonly<Record<string, boolean>>,
): Promise<Record<string, boolean>> {
  const judged: Record<string, boolean> = {}
  for (const file of archive.manifest.files()) {
    const { kind } = file.label
    if (kind !== 'session' && kind !== 'subagent' && kind !== 'prompts') continue
    const named = kind === 'prompts' ? TYPED : NAMED
    for (const [number, version] of file.versions.slice(0, -1).entries()) {
      const name = versionName(file, number)
      // a damaged version says nothing about what the one before contained
      const next = file.versions.slice(number + 1).find((later) => archive.isWhole(later))
      const isJudged =
        known[name] ??
        (next === undefined ? archive.isWhole(version) : await isLost(archive, { version, next, named }))
      if (isJudged !== null) judged[name] = isJudged
    }
  }
  return judged
}

/** The part of a list that is still in the archive. */
function heldOf(archive: Archive, list: GoneList): GoneList {
  const held = new Map<string, { path: string; sizeBytes: number }>()
  for (const file of archive.manifest.files())
    for (const [number, { sizeBytes }] of file.versions.entries())
      held.set(versionName(file, number), { path: file.path, sizeBytes })
  return {
    ...list,
    entries: list.entries.filter(({ path, version, sizeBytes }) => {
      const found = held.get(version)
      return found?.path === originalPath(path) && found.sizeBytes === sizeBytes
    }),
    damaged: list.damaged.filter(({ path }) => archive.manifest.find(path) !== null),
    judged: Object.fromEntries(Object.entries(list.judged).filter(([name]) => held.has(name))),
  }
}

function versionName({ id }: KeptFile, number: number): string {
  return `${id}:${number}`
}

interface Compared {
  version: KeptVersion
  next: KeptVersion
  named: RegExp
}

/** null: only a newer Node.js can tell. */
async function isLost(archive: Archive, { version, next, named }: Compared): Promise<boolean | null> {
  if (next.sizeBytes < version.sizeBytes) return true
  try {
    const later = await namesIn(archive, next, named)
    for (const name of await namesIn(archive, version, named)) if (!later.has(name)) return true
    return false
  } catch (error) {
    // What cannot be read cannot be shown; it is reported as damaged.
    if (error instanceof DamagedContent) return false
    if (error instanceof UnknownCodec) return null
    throw error
  }
}

async function namesIn(archive: Archive, version: KeptVersion, named: RegExp): Promise<Set<string>> {
  const names = new Set<string>()
  let rest = ''
  for await (const piece of readVersion(archive, version)) {
    const text = rest + Buffer.from(piece).toString('latin1')
    for (const [, name = ''] of text.matchAll(named)) names.add(name)
    rest = text.slice(-LONGEST_MATCH)
  }
  return names
}
