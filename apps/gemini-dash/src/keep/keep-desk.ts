import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { KeepChange, KeepStatus } from '@gemini-dash/api'
import { formatSize } from '@gemini-dash/api/figures'
import { Archive, LimitReached } from '@gemini-dash/archive'
import { claimFolder, openTrustedFolder } from '@gemini-dash/session-index'
import type { GeminiHome } from 'gemini-sessions/node'
import type { KeptList } from '../own-data/kept-list.ts'
import { countKept } from './count-kept.ts'
import { type KeepRun, keepHome } from './keep-home.ts'
import { defaultSetting, type KeepSetting, openKeepSettings } from './keep-settings.ts'

/** Another process keeps just now: as long as this its end is waited for. */
const LONGEST_WAIT_MS = 10 * 60 * 1000
const WAIT_STEP_MS = 200
/** What the last run could not keep, in the archive's folder: of which kind, and the sentence. */
const PROBLEM_FILE = 'problem.txt'

interface Problem {
  kind: NonNullable<KeepStatus['hindrance']>
  text: string
}

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
  #problem: Problem | null = null
  /** It was turned off while a look went on. */
  #isStopped = false

  constructor(options: KeepDeskOptions) {
    this.#options = options
  }

  isOn(): boolean {
    return this.#current().every(({ isOn }) => isOn)
  }

  /** @throws where it could not be kept; then nothing has changed */
  change({ enabled, limits = {} }: Omit<KeepChange, 'erase'>): void {
    const { dataFolder } = this.#options
    if (dataFolder === null) throw new Error('there is no data folder')
    const { maxBytes, maxAgeDays } = limits
    const changed = this.#current().map((setting) => ({
      ...setting,
      ...(enabled !== undefined && { isOn: enabled }),
      ...(maxBytes !== undefined && { maxBytes }),
      ...(maxAgeDays !== undefined && { maxAgeDays }),
    }))
    const homes = new Set(changed.map(({ home }) => home))
    const list = this.#list(dataFolder)
    list.write([...list.read().filter(({ home }) => !homes.has(home)), ...changed])
    if (enabled === false) this.#isStopped = true
  }

  /** Has every home looked at that is kept, whoever asked for it. */
  async run({ onProgress = () => {}, onWait = () => {} }: RunOptions = {}): Promise<KeepRun[]> {
    const runs: KeepRun[] = []
    this.#problem = null
    this.#isStopped = false
    for (const [home, setting] of this.#kept()) {
      const archive = this.#archive(home)
      const release = await claim(archive.folder, onWait)
      try {
        const run = await keepHome({ archive, home, setting, onProgress, isStopped: () => this.#isStopped })
        if (run !== null) runs.push(run)
        const problem = run === null ? null : describeHindrance(run, archive, setting)
        this.#problem ??= problem
        tellOthers(archive.folder, problem)
      } finally {
        release()
      }
    }
    return runs
  }

  status(): KeepStatus {
    const settings = this.#current()
    const [first = defaultSetting('')] = settings
    const { dataFolder } = this.#options
    const homes = dataFolder === null ? [] : this.#options.homes
    const counts = homes.map((home) => countKept(this.#archive(home), home))
    const sum = (of: (count: (typeof counts)[number]) => number) =>
      counts.reduce((total, count) => total + of(count), 0)
    const problem = this.#problem ?? homes.map((home) => toldBy(this.#archive(home).folder)).find(Boolean)
    return {
      enabled: dataFolder !== null && this.isOn(),
      sessions: sum(({ sessions }) => sessions),
      onlyHere: sum(({ onlyHere }) => onlyHere),
      files: sum(({ files }) => files),
      rawBytes: sum(({ rawBytes }) => rawBytes),
      storedBytes: sum(({ storedBytes }) => storedBytes),
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

  /** All that was kept of these homes is gone for good; they are not kept any more. */
  async erase(onWait: () => void): Promise<void> {
    this.change({ enabled: false })
    for (const home of this.#options.homes) {
      const archive = this.#archive(home)
      if (!archive.exists()) continue
      const release = await claim(archive.folder, onWait)
      try {
        rmSync(archive.folder, { recursive: true, force: true })
      } finally {
        release()
      }
      this.#archives.delete(home.path)
    }
  }

  #current(): KeepSetting[] {
    const { dataFolder, homes } = this.#options
    const known = dataFolder === null ? [] : this.#list(dataFolder).read()
    return homes.map(({ path }) => known.find(({ home }) => home === path) ?? defaultSetting(path))
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
    const name = createHash('sha256').update(path).digest('hex').slice(0, 16)
    const archive =
      this.#archives.get(path) ?? new Archive(join(this.#options.dataFolder ?? '', 'archive', name))
    this.#archives.set(path, archive)
    return archive
  }
}

/** Other processes are asked for the status, too. */
function tellOthers(folder: string, problem: Problem | null): void {
  try {
    if (problem === null) rmSync(join(folder, PROBLEM_FILE), { force: true })
    else writeFileSync(join(folder, PROBLEM_FILE), `${problem.kind}\n${problem.text}`, { mode: 0o600 })
  } catch {
    // On a full disk this process alone tells.
  }
}

function toldBy(folder: string): Problem | null {
  try {
    const [first = '', ...text] = readFileSync(join(folder, PROBLEM_FILE), 'utf8').split('\n')
    const kind = first === 'limit' || first === 'no-room' ? first : 'other'
    return text.length > 0 ? { kind, text: text.join('\n') } : null
  } catch {
    return null
  }
}

/** Answers what gives the archive free again. @throws where another process does not, or the folder cannot be used */
async function claim(folder: string, onWait: () => void): Promise<() => void> {
  openTrustedFolder(join(folder, '..'))
  const startedMs = Date.now()
  let isTold = false
  for (;;) {
    const claimed = claimFolder(folder, () => {})
    if (claimed.kind === 'owned') return claimed.release
    if (claimed.kind === 'unusable') throw new Error(`Nothing can be kept: ${claimed.reason}`)
    if (Date.now() - startedMs > LONGEST_WAIT_MS)
      throw new Error(`Another gemini-dash has been writing to ${folder} for more than ten minutes`)
    if (!isTold) onWait()
    isTold = true
    await setTimeout(WAIT_STEP_MS)
  }
}

/** A disk that is full, or a limit that is reached: what stopped, what stays, what to do. */
function describeHindrance(run: KeepRun, { folder }: Archive, { maxBytes }: KeepSetting): Problem | null {
  const { hindrance } = run
  if (hindrance === null) return null
  if (hindrance instanceof LimitReached)
    return {
      kind: 'limit',
      text: `The archive holds ${formatSize(maxBytes ?? 0)}, as much as it may, and takes in no more; what it holds stays. "gemini-dash keep on --max-size 20GB" gives it more room.`,
    }
  const { code } = hindrance as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return {
      kind: 'no-room',
      text: `There is no room left on the disk of ${folder} (${code}): not everything could be kept; what was kept stays.`,
    }
  const reason = hindrance instanceof Error ? hindrance.message : String(hindrance)
  return { kind: 'other', text: `Not everything could be kept in ${folder}: ${reason}` }
}
