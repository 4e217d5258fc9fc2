import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { KeepChange, KeepStatus } from '@gemini-dash/api'
import { Archive, forgetFiles } from '@gemini-dash/archive'
import type { GeminiHome } from 'gemini-sessions/node'
import { ForgottenBook } from '../own-data/forgotten.ts'
import type { KeptList } from '../own-data/kept-list.ts'
import { asNotes } from '../own-data/own-file.ts'
import { claimArchive } from './claim-archive.ts'
import { countKept } from './count-kept.ts'
import { type ForgetRequest, forgetKept, isForgotten, namesOfForgotten } from './forget-kept.ts'
import { bringOut } from './gone/bring-out.ts'
import { archiveFolder } from './gone/gone-list.ts'
import { type KeepRun, keepHome } from './keep-home.ts'
import { describeHindrance, type KeepProblem, reserveProblem, tellOthers, toldBy } from './keep-problem.ts'
import { defaultSetting, type KeepSetting, openKeepSettings } from './keep-settings.ts'

export interface KeepDeskOptions {
  /** null: nothing can be kept. */
  dataFolder: string | null
  homes: readonly GeminiHome[]
  tell: (message: string) => void
}

export interface RunOptions {
  onProgress?: (done: number, total: number) => void
  /** Told of once, where another process has the archive. */
  onWait?: () => void
}

/** What can be asked and done about keeping, of one archive a home: another home's can be erased without touching it. */
export class KeepDesk {
  readonly #options: KeepDeskOptions
  readonly #archives = new Map<string, Archive>()
  #settings: KeptList<KeepSetting> | null = null
  #problem: KeepProblem | null = null
  /** It was turned off while a look went on. */
  #isStopped = false
  /** What is missing in a home was brought out of its archive since somebody asked. */
  #hasNews = false
  #forgottenBook: ForgottenBook | null = null

  constructor(options: KeepDeskOptions) {
    this.#options = options
  }

  get dataFolder(): string | null {
    return this.#options.dataFolder
  }

  /** Of any of these homes: another one may have come since. */
  isOn(): boolean {
    return this.#current().some(({ isOn }) => isOn)
  }

  /** @throws where it could not be kept; then nothing has changed */
  change({ enabled, limits = {} }: Omit<KeepChange, 'erase'>): void {
    const { dataFolder } = this.#options
    if (dataFolder === null) throw new Error('there is no data folder')
    const { maxBytes, maxAgeDays } = limits
    if (enabled) for (const home of this.#options.homes) reserveProblem(this.#archive(home).folder)
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
  async run({ onProgress = () => {}, onWait = () => {} }: RunOptions = {}): Promise<KeepRun[]> {
    const runs: KeepRun[] = []
    this.#problem = null
    this.#isStopped = false
    for (const [home, setting] of this.#kept()) {
      const archive = this.#archive(home)
      let problem: KeepProblem | null = null
      let release = () => {}
      try {
        reserveProblem(archive.folder)
        release = await claimArchive(archive.folder, onWait)
        // what was being forgotten when its process ended
        await forgetFiles(archive, [])
        const run = await keepHome({
          ...{ archive, home, setting, onProgress },
          isStopped: () => this.#isStopped,
          isForgotten: (source) => isForgotten(this.#forgotten(), home, source),
        })
        if (run !== null) runs.push(run)
        problem = run === null ? null : describeHindrance(run, archive, setting)
        const notShown = await this.#bringOut(archive, home)
        problem ??= notShown
      } catch (error) {
        problem = describeHindrance({ hindrance: error }, archive, setting)
        throw error
      } finally {
        this.#problem ??= problem
        tellOthers(archive.folder, problem)
        release()
      }
    }
    return runs
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
    const problem = this.#problem ?? homes.map((home) => toldBy(this.#archive(home).folder)).find(Boolean)
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
      limits: { maxBytes: first.maxBytes, maxAgeDays: first.maxAgeDays },
      problem: problem?.text ?? null,
      hindrance: problem?.kind ?? null,
      running: null,
      homes: settings.map(({ home, isOn }) => ({ path: home, exists: existsSync(home), kept: isOn })),
      folder: dataFolder === null ? null : join(dataFolder, 'archive'),
    }
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

  #forgotten(): ForgottenBook {
    this.#forgottenBook ??= new ForgottenBook(this.#options.dataFolder ?? '', asNotes(this.#options.tell))
    return this.#forgottenBook
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
    this.#settings ??= openKeepSettings(dataFolder, asNotes(this.#options.tell))
    return this.#settings
  }

  #archive({ path }: GeminiHome): Archive {
    const archive =
      this.#archives.get(path) ?? new Archive(archiveFolder(this.#options.dataFolder ?? '', path))
    this.#archives.set(path, archive)
    return archive
  }
}
