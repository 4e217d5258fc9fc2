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
import { bringOut, isMissing } from './bring-out.ts'
import {
  type ForgetRequest,
  forgetKept,
  isForgotten,
  type KeepSource,
  namesOfForgotten,
} from './forget-kept.ts'
import { isOurs } from './gone-files.ts'
import {
  type ArchiveState,
  archiveFolder,
  GoneFolder,
  heldFiles,
  isOfSession,
  lostVersions,
  sessionOf,
  stateOf,
  sumStates,
  toKeptDamage,
  WHOLE,
} from './gone-list.ts'
import {
  defaultSetting,
  describeHindrance,
  expectLook,
  type KeepProblem,
  type KeepRun,
  type KeepSetting,
  keepHome,
  openKeepSettings,
  tellOthers,
  toldBy,
} from './keep-home.ts'

export interface ArchiveControlOptions {
  /** null: nothing can be kept. */
  dataFolder: string | null
  homes: readonly GeminiHome[]
  tell: TellProblem
  /** What is turned on is looked at soon, without being asked for. */
  looksByItself?: boolean
}

export interface RunOptions {
  /** Absolute path of the file of one session: only it is looked at, in the home that it is in. */
  sessionFile?: string | null
  onProgress?: (done: number, total: number) => void
  /** Told of once, where another process has the archive. */
  onWait?: () => void
}

/** What can be asked and done about keeping, of one archive a home: another home's can be erased without touching it. */
export class ArchiveControl {
  readonly #options: ArchiveControlOptions
  readonly #archives = new Map<string, Archive>()
  #settings: KeptList<KeepSetting> | null = null
  #problem: KeepProblem | null = null
  /** It was turned off while a look went on. */
  #isStopped = false
  /** What is missing in a home was brought out of its archive since somebody asked. */
  #hasNews = false
  #forgottenList: ForgottenSessions | null = null

  constructor(options: ArchiveControlOptions) {
    this.#options = options
  }

  get dataFolder(): string | null {
    return this.#options.dataFolder
  }

  /** Of any of these homes: another one may have come since. */
  isOn(): boolean {
    return this.#current().some(({ isOn }) => isOn)
  }

  /** Why the last run could not keep everything; null: it could. */
  get problem(): string | null {
    return this.#problem?.text ?? null
  }

  /** What is wrong with what a person said of keeping is told at once, not when it is needed. */
  checkOwnFiles(): void {
    const { dataFolder } = this.#options
    if (dataFolder === null) return
    this.#list(dataFolder).read()
    void this.#forgotten().isEmpty
  }

  /** @throws where it could not be kept; then nothing has changed */
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

  /** Has every home looked at that is kept, whoever asked for it. */
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
      // that one session could be kept says nothing of the others
      const isTold = sessionFile === null || problem !== null
      if (isTold && !archive.isOfLaterVersion()) tellOthers(archive.folder, problem)
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
        // what was being forgotten when its process ended
        await forgetFiles(archive, [])
        const run = await keepHome({
          ...{ archive, home, setting, sessionFile, onProgress },
          isStopped: () => this.#isStopped,
          isForgotten: (source) => isForgotten(this.#forgotten(), home, source),
        })
        // what is about the whole home waits for a look at it
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

  /** Mends what can be mended in the archives of these homes. Those that hold nothing are left out. @throws where it cannot be written */
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

  /** What is missing in a home is brought out of its archive, whether or not more is kept. One home's: beside a run. @throws why it could not */
  async bringOut(homePath: string): Promise<void> {
    const home = this.#options.homes.find(({ path }) => path === homePath)
    if (home === undefined || this.#options.dataFolder === null) return
    if (await bringOut(new Archive(this.#archive(home).folder), home)) this.#hasNews = true
  }

  /** Whether more or less is missing now than when this was asked last. */
  takeNews(): boolean {
    const hasNews = this.#hasNews
    this.#hasNews = false
    return hasNews
  }

  /** Answers what is not shown, and why. */
  async #bringOut(archive: Archive, home: GeminiHome): Promise<KeepProblem | null> {
    try {
      if (await bringOut(archive, home)) this.#hasNews = true
      return null
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return { kind: 'other', text: `Not all that is missing in ${home.path} can be shown: ${reason}` }
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
    const problem = this.#problem ?? settings.map((setting) => this.#told(setting)).find(Boolean)
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

  #told({ home, isOn }: KeepSetting): KeepProblem | null {
    const { dataFolder, looksByItself = false } = this.#options
    if (dataFolder === null) return null
    const folder = archiveFolder(dataFolder, home)
    return toldBy(folder, { isLookedAt: looksByItself || !isOn || isClaimed(folder) })
  }

  /**
   * Erases what the archives hold of these, and remembers that they are not to be kept again. Answers how many files that were.
   * @throws where it could not be done; doing it again goes on with it
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
   * Takes opened files, which lie in this Gemini folder, into the archive of the first home that is kept.
   * @throws where keeping is off, or not all of them could be taken in
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

  /** All that was kept of these homes is gone for good; they are not kept any more. */
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

/** Another process keeps just now: as long as this its end is waited for. */
const LONGEST_WAIT_MS = 10 * 60 * 1000
const WAIT_STEP_MS = 200
/** Whoever has it says so every few seconds. */
const CLAIM_LASTS_MS = 30_000

/** Whether a process is at work on it just now. */
function isClaimed(folder: string): boolean {
  const owner = lstatSync(join(folder, 'owner.json'), { throwIfNoEntry: false })
  return owner !== undefined && Date.now() - owner.mtimeMs < CLAIM_LASTS_MS
}

/** Answers what gives the archive free again. @throws where another process does not, or the folder cannot be used */
export async function claimArchive(folder: string, onWait: () => void): Promise<() => void> {
  openDataFolder(join(folder, '..', '..'))
  openTrustedFolder(join(folder, '..'))
  // Steps are counted, not time: a process that was suspended, or whose clock was moved, has not waited.
  for (let waitedMs = 0; ; waitedMs += WAIT_STEP_MS) {
    const claimed = claimFolder(folder, () => {})
    if (claimed.kind === 'owned') return claimed.release
    if (claimed.kind === 'unusable') throw new Error(`Nothing can be kept: ${claimed.reason}`)
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
  /** Places in the packs where something is damaged, whatever it was. */
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

/** What the archive of a home holds, as the disk says now. */
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

/** A part of it was lost: a log only grows, and a document that became smaller has lost something. */
function hasLost({ path, versions }: KeptFile): boolean {
  const isLog = path.endsWith('.jsonl')
  return versions.some(
    ({ sizeBytes }, place) => (isLog && place > 0) || sizeBytes < (versions[place - 1]?.sizeBytes ?? 0),
  )
}

/** The file itself, or a copy of it that may have grown since. */
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

/** What a repair found in the archive of a home, and what came of it. */
export interface HomeRepair {
  home: string
  /** As it was before. */
  before: ArchiveState['damage']
  mended: NamedVersion[]
  lost: NamedVersion[]
}

/** Takes what the archive lost from files of the home, and from what was brought out. The caller has the archive for itself. */
async function repairHome(archive: Archive, home: GeminiHome): Promise<Omit<HomeRepair, 'home'>> {
  archive.refresh()
  archive.prove(Date.now(), { isThorough: true })
  const before = stateOf(archive).damage
  const byName = new Map<string, string[]>()
  // a project that was moved took its sessions along
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
