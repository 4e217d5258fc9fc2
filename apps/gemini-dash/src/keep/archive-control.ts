import { existsSync, lstatSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { basename } from 'node:path/posix'
import { setTimeout } from 'node:timers/promises'
import type { KeepChange, KeepStatus } from '@gemini-dash/api'
import { groupBy } from '@gemini-dash/api/group-by'
import {
  Archive,
  type ArchiveDamage,
  forgetFiles,
  type KeptFile,
  repairArchive,
  settleMended,
} from '@gemini-dash/archive'
import { claimFolder, openTrustedFolder } from '@gemini-dash/session-index'
import { type GeminiHome, scanHomes } from 'gemini-sessions/node'
import { HomeJournal } from '../home-writes/home-journal.ts'
import { openDataFolder } from '../own-data/data-folder.ts'
import { ForgottenSessions, type KeptList } from '../own-data/kept-list.ts'
import type { TellProblem } from '../own-data/own-file.ts'
import { type AddedFiles, addOpened } from './add-opened.ts'
import {
  type ArchiveState,
  heldFiles,
  isOfSession,
  lostVersions,
  sessionOf,
  stateOf,
  sumStates,
  toKeptDamage,
  WHOLE,
} from './archive-state.ts'
import { bringOut, isMissing } from './bring-out.ts'
import {
  type ForgetRequest,
  forgetKept,
  isForgotten,
  type KeepSource,
  namesOfForgotten,
} from './forget-kept.ts'
import { isOurs } from './gone-files.ts'
import { archiveFolder, GoneFolder } from './gone-list.ts'
import { defaultSetting, type KeepRun, type KeepSetting, keepHome, openKeepSettings } from './keep-home.ts'
import {
  describeHindrance,
  expectLook,
  type KeepProblem,
  recordedProblem,
  tellOthers,
} from './keep-problem.ts'

export interface ArchiveControlOptions {
  /** null: nothing can be archived. */
  dataFolder: string | null
  homes: readonly GeminiHome[]
  tell: TellProblem
  /** If archiving is turned on, a scan follows soon without being requested. */
  looksByItself?: boolean
}

export interface RunOptions {
  /** Absolute path of a session's file: only that session is scanned, in its home. */
  sessionFile?: string | null
  onProgress?: (done: number, total: number) => void
  /** Called once if another process holds the archive. */
  onWait?: () => void
}

/** Queries and actions on the archives, one per home: another home's can be erased without touching this one. */
export class ArchiveControl {
  readonly #options: ArchiveControlOptions
  readonly #archives = new Map<string, Archive>()
  #settings: KeptList<KeepSetting> | null = null
  #problem: KeepProblem | null = null
  /** It was turned off during a scan. */
  #isStopped = false
  /** Something missing in a home was extracted from its archive since the last `takeNews`. */
  #hasNews = false
  #forgottenList: ForgottenSessions | null = null

  constructor(options: ArchiveControlOptions) {
    this.#options = options
  }

  get dataFolder(): string | null {
    return this.#options.dataFolder
  }

  /** For any of these homes: another one may have been added since. */
  isOn(): boolean {
    return this.#current().some(({ isOn }) => isOn)
  }

  /** Why the last run could not archive everything; null if it could. */
  get problem(): string | null {
    return this.#problem?.text ?? null
  }

  /** Reports problems with the user's own settings and lists at once, not on first use. */
  checkOwnFiles(): void {
    const { dataFolder } = this.#options
    if (dataFolder === null) return
    this.#list(dataFolder).read()
    void this.#forgotten().isEmpty
  }

  /** @throws if it could not be saved; then nothing has changed */
  change({ enabled, limits = {} }: Omit<KeepChange, 'erase'>): void {
    const { dataFolder } = this.#options
    if (dataFolder === null) throw new Error('there is no data folder')
    const { maxBytes, maxAgeDays } = limits
    if (enabled === true)
      for (const home of this.#options.homes) {
        const archive = this.#archive(home)
        if (!archive.isOfLaterVersion()) expectLook(archive.folder)
      }
    this.#list(dataFolder).update((known) => {
      const changed = this.#settingsIn(known).map((setting) => ({
        ...setting,
        ...(enabled !== undefined && { isOn: enabled }),
        ...(maxBytes !== undefined && { maxBytes }),
        ...(maxAgeDays !== undefined && { maxAgeDays }),
      }))
      const homes = new Set(changed.map(({ home }) => home))
      return [...known.filter(({ home }) => !homes.has(home)), ...changed]
    })
    if (enabled === false) this.#isStopped = true
  }

  /** Scans every home that is archived, whoever requested it. */
  async run({
    sessionFile = null,
    onProgress = () => {},
    onWait = () => {},
  }: RunOptions = {}): Promise<KeepRun[]> {
    const runs: KeepRun[] = []
    this.#problem = null
    this.#isStopped = false
    for (const [home, setting] of this.#kept()) {
      const archive = this.#archive(home)
      const { run, problem } = await this.#lookAt(home, setting, { sessionFile, onProgress, onWait })
      if (run !== null) runs.push(run)
      this.#problem ??= problem
      // the success of a single session says nothing about the others
      const isRecorded = sessionFile === null || problem !== null
      if (isRecorded && !archive.isOfLaterVersion()) tellOthers(archive.folder, problem)
    }
    return runs
  }

  async #lookAt(
    home: GeminiHome,
    setting: KeepSetting,
    { sessionFile, onProgress, onWait }: Required<RunOptions>,
  ): Promise<{ run: KeepRun | null; problem: KeepProblem | null }> {
    const archive = this.#archive(home)
    try {
      const release = await claimArchive(archive.folder, onWait)
      try {
        // completes an erasure whose process ended early
        await forgetFiles(archive, [])
        const run = await keepHome({
          ...{ archive, home, setting, sessionFile, onProgress },
          isStopped: () => this.#isStopped,
          isForgotten: (source) => isForgotten(this.#forgotten(), home, source),
        })
        // what concerns the whole home waits for a scan of it
        if (sessionFile === null) await settleMended(archive)
        const notShown = sessionFile === null ? await this.#bringOut(archive, home) : null
        const hindrance = run === null ? null : describeHindrance(run.hindrance, archive, setting)
        return { run, problem: hindrance ?? notShown }
      } finally {
        release()
      }
    } catch (error) {
      archive.reset()
      return { run: null, problem: describeHindrance(error, archive, setting) }
    }
  }

  /** Repairs what can be repaired in the archives of these homes. Empty archives are left out. @throws if they cannot be written */
  async repair(onWait: () => void): Promise<HomeRepair[]> {
    const repairs: HomeRepair[] = []
    for (const home of this.#options.homes) {
      const archive = this.#archive(home)
      if (!archive.exists()) continue
      const release = await claimArchive(archive.folder, onWait)
      try {
        await forgetFiles(archive, [])
        const repair = await repairHome(archive, home)
        await this.#bringOut(archive, home)
        repairs.push({ home: home.path, ...repair })
      } finally {
        release()
      }
    }
    return repairs
  }

  /** Extracts what is missing in a home from its archive, whether or not archiving is on. Can run during a scan. @throws on failure */
  async bringOut(homePath: string): Promise<void> {
    const home = this.#options.homes.find(({ path }) => path === homePath)
    if (home === undefined || this.#options.dataFolder === null) return
    if (await bringOut(new Archive(this.#archive(home).folder), home)) this.#hasNews = true
  }

  /** Whether the set of missing files has changed since the last call. */
  takeNews(): boolean {
    const hasNews = this.#hasNews
    this.#hasNews = false
    return hasNews
  }

  /** Returns what cannot be shown, and why. */
  async #bringOut(archive: Archive, home: GeminiHome): Promise<KeepProblem | null> {
    try {
      if (await bringOut(archive, home)) this.#hasNews = true
      return null
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return { kind: 'other', text: `Not all archived copies for ${home.path} can be shown: ${reason}` }
    }
  }

  status(): KeepStatus {
    const settings = this.#current()
    const first = settings.find(({ isOn }) => isOn) ?? settings[0] ?? defaultSetting('')
    const { dataFolder } = this.#options
    const homes = dataFolder === null ? [] : this.#options.homes
    const counts = homes.map((home) => countKept(dataFolder ?? '', this.#archive(home), home))
    const sum = (of: (count: (typeof counts)[number]) => number) =>
      counts.reduce((total, count) => total + of(count), 0)
    const state = sumStates(counts.map((count) => count.state))
    const problem = this.#problem ?? settings.map((setting) => this.#recorded(setting)).find(Boolean)
    return {
      enabled: dataFolder !== null && settings.every(({ isOn }) => isOn),
      sessions: sum(({ sessions }) => sessions),
      onlyHere: sum(({ onlyHere }) => onlyHere),
      files: sum(({ files }) => files),
      rawBytes: sum(({ rawBytes }) => rawBytes),
      storedBytes: sum(({ storedBytes }) => storedBytes),
      goneBytes: sum(({ goneBytes }) => goneBytes),
      lastRun:
        counts
          .flatMap(({ lastRun }) => lastRun ?? [])
          .sort()
          .at(-1) ?? null,
      damaged: sum(({ damagedFiles, damagedRecords }) => Math.max(damagedFiles.length, damagedRecords)),
      damagedFiles: counts.flatMap(({ damagedFiles }) => damagedFiles),
      damage: toKeptDamage(state.damage),
      lost: state.lost,
      lostFiles: counts.flatMap(({ lostFiles }) => lostFiles),
      limits: { maxBytes: first.maxBytes, maxAgeDays: first.maxAgeDays },
      problem: problem?.text ?? null,
      hindrance: problem?.kind ?? null,
      running: null,
      homes: settings.map(({ home, isOn }) => ({ path: home, exists: existsSync(home), kept: isOn })),
      folder: dataFolder === null ? null : join(dataFolder, 'archive'),
    }
  }

  #recorded({ home, isOn }: KeepSetting): KeepProblem | null {
    const { dataFolder, looksByItself = false } = this.#options
    if (dataFolder === null) return null
    const folder = archiveFolder(dataFolder, home)
    return recordedProblem(folder, { isLookedAt: looksByItself || !isOn || isClaimed(folder) })
  }

  /**
   * Erases these from the archives, and remembers never to archive them again. Returns the number of files erased.
   * @throws on failure; calling it again continues
   */
  async forget(request: ForgetRequest): Promise<number> {
    let erased = 0
    if (this.#options.dataFolder === null) return erased
    this.#forgotten().add(namesOfForgotten(request))
    for (const home of this.#options.homes) {
      const archive = this.#archive(home)
      if (!archive.exists()) continue
      const release = await claimArchive(archive.folder, () => {})
      try {
        erased += await forgetKept(archive, home, request)
      } finally {
        release()
      }
      if (await bringOut(archive, home, { isLess: true })) this.#hasNews = true
    }
    return erased
  }

  /**
   * Adds opened files, which are in this Gemini folder, to the archive of the first home that is archived.
   * @throws if archiving is off, or not all of them could be added
   */
  async addOpened(openedFolder: string, onWait: () => void = () => {}): Promise<AddedFiles> {
    const [kept] =
      this.#options.dataFolder === null ? [] : this.#kept().filter(([{ path }]) => existsSync(path))
    if (kept === undefined)
      throw new Error('the archive is off; "gemini-dash keep on" or Settings, Storage turns it on')
    const [home, setting] = kept
    const archive = this.#archive(home)
    const release = await claimArchive(archive.folder, onWait)
    try {
      await forgetFiles(archive, [])
      const isNeverKept = (source: KeepSource) => isForgotten(this.#forgotten(), home, source)
      const added = await addOpened({ archive, home, setting, openedFolder, isForgotten: isNeverKept })
      const notShown = await this.#bringOut(archive, home)
      if (notShown !== null) throw new Error(notShown.text)
      return added
    } catch (error) {
      archive.reset()
      throw new Error(describeHindrance(error, archive, setting)?.text)
    } finally {
      release()
    }
  }

  #forgotten(): ForgottenSessions {
    this.#forgottenList ??= new ForgottenSessions(this.#options.dataFolder ?? '', this.#options.tell)
    return this.#forgottenList
  }

  /** Permanently erases everything archived from these homes, and turns archiving off. */
  async erase(onWait: () => void): Promise<void> {
    this.change({ enabled: false })
    for (const home of this.#options.homes) {
      const archive = this.#archive(home)
      if (!existsSync(archive.folder)) continue
      const release = await claimArchive(archive.folder, onWait)
      try {
        rmSync(archive.folder, { recursive: true, force: true })
      } finally {
        release()
      }
      this.#archives.delete(home.path)
      this.#hasNews = true
    }
  }

  #current(): KeepSetting[] {
    const { dataFolder } = this.#options
    return this.#settingsIn(dataFolder === null ? [] : this.#list(dataFolder).read())
  }

  #settingsIn(known: readonly KeepSetting[]): KeepSetting[] {
    return this.#options.homes.map(
      ({ path }) => known.find(({ home }) => home === path) ?? defaultSetting(path),
    )
  }

  #kept(): [GeminiHome, KeepSetting][] {
    const settings = this.#current()
    return this.#options.homes.flatMap((home, place): [GeminiHome, KeepSetting][] => {
      const setting = settings[place]
      return setting?.isOn === true ? [[home, setting]] : []
    })
  }

  #list(dataFolder: string): KeptList<KeepSetting> {
    this.#settings ??= openKeepSettings(dataFolder, this.#options.tell)
    return this.#settings
  }

  #archive({ path }: GeminiHome): Archive {
    const archive =
      this.#archives.get(path) ?? new Archive(archiveFolder(this.#options.dataFolder ?? '', path))
    this.#archives.set(path, archive)
    return archive
  }
}

/** How long to wait for another process that is archiving. */
const LONGEST_WAIT_MS = 10 * 60 * 1000
const WAIT_STEP_MS = 200
/** The process that holds the claim renews it every few seconds. */
const CLAIM_LASTS_MS = 30_000

/** Whether a process is working on the archive right now. */
function isClaimed(folder: string): boolean {
  const owner = lstatSync(join(folder, 'owner.json'), { throwIfNoEntry: false })
  return owner !== undefined && Date.now() - owner.mtimeMs < CLAIM_LASTS_MS
}

/** Returns a function that releases the archive. @throws if another process does not release it, or the folder cannot be used */
export async function claimArchive(folder: string, onWait: () => void): Promise<() => void> {
  openDataFolder(join(folder, '..', '..'))
  openTrustedFolder(join(folder, '..'))
  // Counts steps, not time: suspended time and clock changes do not count.
  for (let waitedMs = 0; ; waitedMs += WAIT_STEP_MS) {
    const claimed = claimFolder(folder, () => {})
    if (claimed.kind === 'owned') return claimed.release
    if (claimed.kind === 'unusable') throw new Error(`Nothing can be archived: ${claimed.reason}`)
    if (waitedMs > LONGEST_WAIT_MS)
      throw new Error(`Another gemini-dash has been writing to ${folder} for more than ten minutes`)
    if (waitedMs === 0) onWait()
    await setTimeout(WAIT_STEP_MS)
  }
}

interface KeptCount
  extends Pick<
    KeepStatus,
    | 'sessions'
    | 'onlyHere'
    | 'files'
    | 'rawBytes'
    | 'storedBytes'
    | 'goneBytes'
    | 'lastRun'
    | 'damagedFiles'
    | 'lostFiles'
  > {
  /** Number of damaged places in the packs, of any kind. */
  damagedRecords: number
  state: ArchiveState
}

const NOTHING: KeptCount = {
  sessions: 0,
  onlyHere: 0,
  files: 0,
  rawBytes: 0,
  storedBytes: 0,
  goneBytes: 0,
  lastRun: null,
  damagedFiles: [],
  lostFiles: [],
  damagedRecords: 0,
  state: WHOLE,
}

/** What the archive of a home contains, according to the disk. */
function countKept(dataFolder: string, archive: Archive, home: GeminiHome): KeptCount {
  if (!archive.exists()) return NOTHING
  archive.refresh()
  archive.prove(Date.now())
  const damage = archive.damage()
  const files = heldFiles(archive)
  const logs = files.filter(isOfSession)
  const there = groupBy(
    logs.filter(({ path }) => !isMissing(`${home.path}/${path}`)),
    sessionOf,
  )
  const takenBack = new HomeJournal(dataFolder).takenBack(home.path)
  const isOnlyHere = (file: KeptFile) =>
    !isOurs(takenBack, file.path, file.versions[0]?.firstSeen) &&
    (hasLost(file) || !(there.get(sessionOf(file)) ?? []).some((other) => holds(other, file)))
  const goneBytes = new GoneFolder(archive.folder)
    .read()
    .entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return {
    sessions: new Set(logs.map(sessionOf)).size,
    onlyHere: new Set(logs.filter(isOnlyHere).map(sessionOf)).size,
    files: files.length,
    rawBytes: files
      .flatMap(({ versions }) => versions.map(({ sizeBytes }) => sizeBytes))
      .reduce((sum, size) => sum + size, 0),
    storedBytes: archive.storedBytes() + goneBytes,
    goneBytes,
    lastRun: archive.manifest.lastLooked,
    damagedFiles: nameVersions(home, damage?.versions ?? []),
    lostFiles: nameVersions(home, lostVersions(archive)),
    damagedRecords: damage?.places.length ?? 0,
    state: stateOf(archive),
  }
}

function nameVersions(home: GeminiHome, versions: ArchiveDamage['versions']): KeepStatus['damagedFiles'] {
  return versions.map(({ file: { path, label }, version: { firstSeen } }) => ({
    home: home.path,
    path,
    firstSeen,
    sessionId: label.sessionId ?? null,
  }))
}

/** Part of it was lost: a log only grows, and a document that shrank has lost something. */
function hasLost({ path, versions }: KeptFile): boolean {
  const isLog = path.endsWith('.jsonl')
  return versions.some(
    ({ sizeBytes }, place) => (isLog && place > 0) || sizeBytes < (versions[place - 1]?.sizeBytes ?? 0),
  )
}

/** The same file, or a copy of it that may have grown since. */
function holds(other: KeptFile, file: KeptFile): boolean {
  const [held, wanted] = [other, file].map(({ versions }) => versions.at(-1)?.recipe)
  if (held === undefined || wanted === undefined) return other === file
  return held.subarray(0, wanted.length).equals(wanted)
}

export interface NamedVersion {
  path: string
  firstSeen: string
  sessionId: string | null
}

/** What a repair found in the archive of a home, and its outcome. */
export interface HomeRepair {
  home: string
  /** The state before the repair. */
  before: ArchiveState['damage']
  mended: NamedVersion[]
  lost: NamedVersion[]
}

/** Restores what the archive lost from files of the home, and from extracted files. The caller holds the archive exclusively. */
async function repairHome(archive: Archive, home: GeminiHome): Promise<Omit<HomeRepair, 'home'>> {
  archive.refresh()
  archive.prove(Date.now(), { isThorough: true })
  const before = stateOf(archive).damage
  const byName = new Map<string, string[]>()
  // when a project was moved, its sessions moved with it
  for (const { path, absolutePath } of (await scanHomes([home])).files)
    byName.set(basename(path), [...(byName.get(basename(path)) ?? []), absolutePath])
  const gone = new GoneFolder(archive.folder)
  const copiesOf = (file: KeptFile) => [
    `${home.path}/${file.path}`,
    ...(byName.get(basename(file.path)) ?? []),
    join(gone.files, file.path),
    ...file.versions.map((_, number) => join(gone.files, 'overwritten', `${file.id}-${number + 1}`)),
  ]
  const { mended, lost } = await repairArchive(archive, copiesOf)
  return { before, mended: mended.map(nameVersion), lost: lost.map(nameVersion) }
}

function nameVersion({ file, version }: ArchiveDamage['versions'][number]): NamedVersion {
  return { path: file.path, firstSeen: version.firstSeen, sessionId: file.label.sessionId ?? null }
}
