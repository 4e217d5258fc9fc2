import { createWriteStream, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { basename } from 'node:path/posix'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  Archive,
  DamagedContent,
  type KeptFile,
  type KeptVersion,
  readVersion,
  UnknownCodec,
} from '@gemini-dash/archive'
import { type DiscoveredFile, type GeminiHome, scanHomes } from 'gemini-sessions/node'
import { claimGone } from './claim-gone.ts'
import { archiveFolder, type GoneEntry, GoneFolder, type GoneList, goneState } from './gone-list.ts'
import { heldOf, judgeVersions, versionName } from './lost-versions.ts'

/** Something that is in the archive, and not in the home. */
interface Wanted {
  file: KeptFile
  /** The newest first: where one is damaged, the one before it is better than nothing. */
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
 * Makes `gone` of an archive hold what the home has no more: files that are missing as they were last, and of logs that were
 * overwritten or became shorter the versions with something in them that is nowhere else. Answers whether that changed anything.
 * `isLess`: something was taken out of the archive, and what another process brings out may hold it still.
 *
 * @throws where it cannot be written, or another process is at it and does not come to an end
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
    archive.refresh()
    const scan = await scanHomes([home])
    const before = folder.read()
    const isThere = scan.missing === undefined
    const list = isThere
      ? await goneNow(archive, home, { folder, files: scan.files, before })
      : // An unplugged disk has lost nothing; but what was forgotten meanwhile is shown no more.
        heldOf(archive, before)
    const isNews = JSON.stringify(list) !== JSON.stringify(before)
    if (isNews) folder.write(list)
    sweep(folder, list)
    if (!isThere) return isNews
    folder.setChecked(
      goneState(
        scan.files.map(({ path }) => path),
        archive.packs.sizes(),
      ),
    )
    return isNews
  } finally {
    release()
  }
}

async function goneNow(
  archive: Archive,
  home: GeminiHome,
  { folder, files, before }: { folder: GoneFolder; files: readonly DiscoveredFile[]; before: GoneList },
): Promise<GoneList> {
  const judged = await judgeVersions(archive, before.judged)
  return writeWanted(archive, folder, findGone(archive, home, { files, judged }), { ...before, judged })
}

/** The same by the archive's place. */
export async function bringOutOf(dataFolder: string, home: GeminiHome): Promise<boolean> {
  return bringOut(new Archive(archiveFolder(dataFolder, home.path)), home)
}

/** How many files are missing that could be brought out. Writes nothing. */
export async function countGone(dataFolder: string, home: GeminiHome): Promise<number> {
  const archive = new Archive(archiveFolder(dataFolder, home.path))
  archive.refresh()
  const { entries, judged } = new GoneFolder(archive.folder).read()
  const known = new Set(entries.map(({ place }) => place))
  const { files } = await scanHomes([home])
  return findGone(archive, home, { files, judged }).filter(({ entry }) => !known.has(entry.place)).length
}

interface Home {
  files: readonly DiscoveredFile[]
  /** Versions that were overwritten and hold something that the next one lacks. */
  judged: GoneList['judged']
}

/** What is in the archive, and not in this home. Opens nothing. */
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
      const kept = { cause: 'deleted' as const, lastSeen, missed: file.gone ?? now }
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

/** An archive that somebody else made may name anything. */
function isOfHome(path: string): boolean {
  return !isAbsolute(path) && !path.split(/[/\\]/).includes('..')
}

/** A project that was moved takes its sessions along: what stands in another folder by the same name and id, whole, is not gone. */
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
      const isThere = earlier?.version === made.version && sizeOf(folder, earlier) === made.sizeBytes
      // what was told once of when it was seen stays
      if (isThere) {
        entries.push(earlier)
        break
      }
      const outcome = await write(archive, folder, { file, version, number }, entry.place)
      if (outcome === 'written') {
        entries.push(made)
        break
      }
      const { lastSeen } = entry.kept
      damaged.push({ path: file.path, lastSeen, ...(outcome === 'newer-node' && { isOfNewerNode: true }) })
    }
  }
  return { ...before, entries, damaged }
}

function sizeOf(folder: GoneFolder, { place }: GoneEntry): number {
  return lstatSync(join(folder.files, place), { throwIfNoEntry: false })?.size ?? -1
}

interface Source {
  file: KeptFile
  version: KeptVersion
  number: number
}

/** Where it is not written, nothing of it stands there. */
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

/** What was a folder is a file now, or the name is too long for this disk. */
function isOfItsName(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EEXIST' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'ENAMETOOLONG'
}

/** What came back, or was forgotten, goes. */
function sweep({ path, files }: GoneFolder, { entries }: GoneList): void {
  // of whoever was killed while it was written
  rmSync(join(path, 'unfinished'), { force: true })
  const wanted = new Set(entries.map(({ place }) => join(files, place)))
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
