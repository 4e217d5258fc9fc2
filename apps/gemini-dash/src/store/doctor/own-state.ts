import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { type } from 'node:os'
import { join } from 'node:path'
import type { Doctor, DoctorNotes, Health, Sandbox } from '@gemini-dash/api'
import { PRICE_LIST } from '@gemini-dash/pricing/overrides'
import { findStrays, type GeminiHome, type SkippedEntry } from 'gemini-sessions/node'
import type { HomeNames, PriceTable } from '../../own-data/price-file.ts'
import { describeCli, type FoundCli, findCli, findSandboxes, writtenBy } from '../installed-cli.ts'
import { homeLabels } from '../list.ts'
import type { LinkedSession } from '../sync/rows.ts'
import type { Sync } from '../sync/sync.ts'
import type { WarningList } from '../warnings.ts'
import { buildDoctor, describeAntigravity } from './build-doctor.ts'
import { DeletionTimes } from './deletion-times.ts'
import { DiskCount } from './disk.ts'

/** Detected again after this time: it is updated rarely, and without an event. */
const CLI_KEPT_MS = 30_000

/** Identifies the running program; removed when it ends. */
const OWNER_FILE = 'owner.json'

/** What is shown in place of a home. */
export interface OpenedFiles {
  /** As named by the user; more may be added. */
  files: readonly string[]
  canClose: boolean
}

export interface OwnStateParts {
  homes: GeminiHome[]
  homeNames: HomeNames
  sync: Sync
  prices: PriceTable
  warnings: WarningList
  version: string
  isDemo: boolean
  /** null: the homes are this user's. */
  opened: OpenedFiles | null
  /** The current time in ms since 1970. */
  clock: () => number
  /** null: nothing is stored on disk. */
  cacheDirectory: string | null
}

/** The state of the program and of the homes it reads. */
export class OwnState {
  readonly deletions: DeletionTimes
  readonly #disk = new DiskCount()
  readonly #strays = new StrayList()
  #cli: { found: FoundCli | null; untilMs: number } | null = null
  readonly #parts: OwnStateParts

  constructor(parts: OwnStateParts) {
    this.#parts = parts
    this.deletions = new DeletionTimes(parts.sync.rows, () => this.homes())
  }

  health(): Health {
    const { sync, homeNames, prices, warnings, version, isDemo, opened, clock } = this.#parts
    const homes = this.homes()
    const labels = homeLabels(
      homes.map(({ path }) => path),
      homeNames.all(),
    )
    return {
      version,
      runtime: `Node.js ${process.versions.node} · ${systemName()}`,
      homes: homes.map(({ path, exists }) => ({
        path,
        label: labels.get(path) ?? path,
        exists,
        ...(sync.scan.files.every(({ home }) => home !== path) && describeAntigravity(path)),
      })),
      index: { state: sync.indexing.isReady ? 'ready' : 'building', ...sync.indexing.progress() },
      demo: isDemo,
      ...(opened && {
        opened: { ...opened, files: opened.files.map((path) => path.split(/[/\\]/).at(-1) ?? path) },
      }),
      now: isDemo ? new Date(clock()).toISOString() : null,
      cli: describeCli(this.#installed(), sync.rows.sessions().values()),
      sandboxes: this.#sandboxes(sync.rows.sessions().values()),
      prices: { list: PRICE_LIST, plan: prices.current().plan, problem: prices.problem() },
      warnings: warnings.all(),
    }
  }

  /** Whether opened files are shown in place of the homes of this user. */
  isOfOpenedFiles(): boolean {
    return this.#parts.opened !== null
  }

  /** Users on a plan do not need `unpriced`. */
  async doctor(sessions: readonly LinkedSession[], unpriced: Doctor['unpriced']): Promise<Doctor> {
    const disk = await this.#disk.use(this.homes())
    const strays = await this.#strays.all(this.homes())
    const isPriced = this.#parts.prices.current().plan !== 'nothing'
    return {
      ...this.#doctor(sessions, strays, await folderSize(this.#parts.cacheDirectory)),
      unpriced: isPriced ? unpriced : [],
      disk,
    }
  }

  async doctorNotes(sessions: readonly LinkedSession[]): Promise<DoctorNotes> {
    const strays = await this.#strays.all(this.homes())
    const { isComplete, isWell, files, drift, retention } = this.#doctor(sessions, strays, 0)
    const { expiring, atRisk, maxAgeDays } = retention
    return {
      isComplete,
      isWell,
      missedFiles: files.skipped.filter(({ needsAttention }) => needsAttention).length,
      unknownNames: drift.length,
      dueSessions: new Set([...expiring, ...atRisk].map(({ sessionKey }) => sessionKey)).size,
      maxAgeDays,
      reasons: files.skipped.flatMap(({ path, reason, sessionKey }) =>
        sessionKey === null ? [] : [{ path, reason }],
      ),
    }
  }

  #doctor(
    sessions: readonly LinkedSession[],
    strays: readonly SkippedEntry[],
    cacheBytes: number,
  ): Omit<Doctor, 'disk' | 'unpriced'> {
    const { sync, cacheDirectory, warnings, clock } = this.#parts
    return buildDoctor({
      homes: this.homes(),
      scan: sync.scan,
      strays,
      projects: sync.rows.projects(),
      sessions,
      cache: { path: cacheDirectory, sizeBytes: cacheBytes },
      warnings: warnings.all(),
      lostInArchive: sync.kept.describeLost(),
      // A command that found all rows stored indexes nothing.
      isComplete: sync.indexing.isReady || sync.indexing.hasAllRows(),
      nowMs: clock(),
      unread: sync.unread.files(),
      installed: this.#installed(),
      sandboxes: this.#sandboxes(sessions),
    })
  }

  /** null if none is installed, or for the samples, with which no Gemini CLI works. */
  #installed(): FoundCli | null {
    if (this.#parts.isDemo || this.#parts.opened !== null) return null
    // A wall clock that is set back would keep it for longer.
    const nowMs = performance.now()
    if (this.#cli === null || nowMs >= this.#cli.untilMs)
      this.#cli = { found: findCli(), untilMs: nowMs + CLI_KEPT_MS }
    return this.#cli.found
  }

  #sandboxes(sessions: Iterable<LinkedSession>): Sandbox[] {
    if (this.#parts.isDemo || this.#parts.opened !== null) return []
    const versions = { installed: this.#installed()?.version ?? null, writtenBy: writtenBy(sessions) }
    return findSandboxes({ homes: this.homes(), versions })
  }

  /** A home can appear or disappear at any time. */
  homes(): GeminiHome[] {
    return this.#parts.homes.map((home) => ({ ...home, exists: existsSync(home.path) }))
  }
}

/** Total bytes of the files below a folder; 0 if it does not exist. */
async function folderSize(directory: string | null): Promise<number> {
  if (directory === null) return 0
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  const sizes = await Promise.all(
    names
      .filter((name) => name !== OWNER_FILE)
      .map((name) =>
        stat(join(directory, name)).then(
          (stats) => (stats.isFile() ? stats.size : 0),
          () => 0,
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** No event announces them; a report shows new ones after this time. */
const KEPT_MS = 10_000

/** Files that look like conversations in places that nothing reads; a result is reused for some seconds. */
class StrayList {
  #kept: { untilMs: number; found: Promise<SkippedEntry[]> } | null = null

  all(homes: readonly GeminiHome[]): Promise<SkippedEntry[]> {
    // A wall clock that is set back would keep it for longer.
    const nowMs = performance.now()
    if (this.#kept === null || nowMs > this.#kept.untilMs)
      this.#kept = { untilMs: nowMs + KEPT_MS, found: findStrays(homes) }
    return this.#kept.found
  }
}

function systemName(): string {
  const name = type()
  return name === 'Darwin' ? 'macOS' : name === 'Windows_NT' ? 'Windows' : name
}
