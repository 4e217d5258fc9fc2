import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Doctor, DoctorNotes, Health, Sandbox } from '@gemini-dash/api'
import { PRICE_LIST } from '@gemini-dash/pricing/overrides'
import type { Project } from 'gemini-sessions'
import type { GeminiHome, SkippedEntry } from 'gemini-sessions/node'
import type { HomeNames } from '../../own-data/home-names.ts'
import type { PriceBook } from '../../own-data/price-file.ts'
import type { CatalogSession } from '../catalog/catalog.ts'
import type { WarningBook } from '../catalog/warning-book.ts'
import { findSandboxes } from '../cli/container-sandbox.ts'
import { type FoundCli, findCli } from '../cli/installed-cli.ts'
import { describeCli, writtenBy } from '../cli/versions.ts'
import type { Library } from '../library/library.ts'
import { homeLabels } from '../list/home-labels.ts'
import { buildDoctor, describeAntigravity } from './build-doctor.ts'
import { DiskCount } from './disk/disk-use.ts'
import { DeletionTimes } from './retention/deletion-times.ts'
import { StrayBook } from './stray-book.ts'

/** It is looked for again after this: it is updated rarely, and nothing tells of it. */
const CLI_KEPT_MS = 30_000

/** Of a program that runs; gone when it ends. */
const OWNER_FILE = 'owner.json'

export interface OwnStateParts {
  homes: GeminiHome[]
  homeNames: HomeNames
  library: Library
  prices: PriceBook
  warnings: WarningBook
  version: string
  isDemo: boolean
  /** What is taken for now, in ms since 1970. */
  clock: () => number
  /** null: nothing is kept on disk. */
  cacheDirectory: string | null
}

/** What the program says of itself and of the homes that it reads. */
export class OwnState {
  readonly deletions: DeletionTimes
  readonly #disk = new DiskCount()
  readonly #strays = new StrayBook()
  #cli: { found: FoundCli | null; untilMs: number } | null = null
  readonly #parts: OwnStateParts

  constructor(parts: OwnStateParts) {
    this.#parts = parts
    this.deletions = new DeletionTimes(parts.library.catalog, () => this.homes())
  }

  health(): Health {
    const { library, homeNames, prices, warnings, version, isDemo, clock } = this.#parts
    const homes = this.homes()
    const labels = homeLabels(
      homes.map(({ path }) => path),
      homeNames.all(),
    )
    return {
      version,
      homes: homes.map(({ path, exists }) => ({
        path,
        label: labels.get(path) ?? path,
        exists,
        ...(library.scan.files.every(({ home }) => home !== path) && describeAntigravity(path)),
      })),
      index: { state: library.indexing.isReady ? 'ready' : 'building', ...library.indexing.progress() },
      demo: isDemo,
      now: isDemo ? new Date(clock()).toISOString() : null,
      cli: describeCli(this.#installed(), library.catalog.sessions().values()),
      sandboxes: this.#sandboxes(library.catalog.sessions().values()),
      prices: { list: PRICE_LIST, plan: prices.current().plan, problem: prices.problem() },
      warnings: warnings.all(),
    }
  }

  /** `unpriced` is nobody's concern who is on a plan. */
  async doctor(
    sessions: CatalogSession[],
    projects: readonly Project[],
    unpriced: Doctor['unpriced'],
  ): Promise<Doctor> {
    const disk = await this.#disk.use({ homes: this.homes(), projects, sessions })
    const strays = await this.#strays.all(this.homes())
    const isPriced = this.#parts.prices.current().plan !== 'nothing'
    return {
      ...this.#doctor(sessions, strays, await folderSize(this.#parts.cacheDirectory)),
      unpriced: isPriced ? unpriced : [],
      disk,
    }
  }

  async doctorNotes(sessions: CatalogSession[]): Promise<DoctorNotes> {
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
    sessions: CatalogSession[],
    strays: readonly SkippedEntry[],
    cacheBytes: number,
  ): Omit<Doctor, 'disk' | 'unpriced'> {
    const { library, cacheDirectory, warnings, clock } = this.#parts
    return buildDoctor({
      homes: this.homes(),
      scan: library.scan,
      strays,
      projects: library.catalog.projects(),
      sessions,
      cache: { path: cacheDirectory, sizeBytes: cacheBytes },
      warnings: warnings.all(),
      // A command that found all rows kept indexes nothing.
      isComplete: library.indexing.isReady || library.indexing.hasAllRows(),
      nowMs: clock(),
      unread: library.unread.files(),
      installed: this.#installed(),
      sandboxes: this.#sandboxes(sessions),
    })
  }

  /** null: there is none, or the samples are shown, which no Gemini CLI works in. */
  #installed(): FoundCli | null {
    if (this.#parts.isDemo) return null
    // A clock that is set back would keep it for longer.
    const nowMs = performance.now()
    if (this.#cli === null || nowMs >= this.#cli.untilMs)
      this.#cli = { found: findCli(), untilMs: nowMs + CLI_KEPT_MS }
    return this.#cli.found
  }

  #sandboxes(sessions: Iterable<CatalogSession>): Sandbox[] {
    if (this.#parts.isDemo) return []
    const versions = { installed: this.#installed()?.version ?? null, writtenBy: writtenBy(sessions) }
    return findSandboxes({ homes: this.homes(), versions })
  }

  /** A home can appear and go while we run. */
  homes(): GeminiHome[] {
    return this.#parts.homes.map((home) => ({ ...home, exists: existsSync(home.path) }))
  }
}

/** Bytes of all files that are kept below a folder; 0 where there is none. */
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
