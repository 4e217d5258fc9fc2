import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type SeededRandom, seededRandom } from '../fixtures/seeded-random.ts'
import { killServersBelow } from './program/start-server.ts'

/** Results of a part, for the summary table. */
export interface Findings {
  runs: number
  faults: number
  losses: string[]
  differences: string[]
}

/** A running part: its seed, time limit, folder and findings. */
export class Trial {
  readonly name: string
  readonly seed: number
  readonly random: SeededRandom
  /** The short form, for `npm run test:all`. */
  readonly isBounded: boolean
  /** `cli.js` of the build under test. */
  readonly program: string
  readonly findings: Findings = { runs: 0, faults: 0, losses: [], differences: [] }
  readonly #folder: string
  readonly #commonFolder: string
  readonly #endsAtMs: number
  readonly #faults: number | null
  readonly #endsWhenFound: boolean
  readonly #ending = new AbortController()
  #step = 'the start'

  constructor(options: {
    name: string
    seed: number
    minutes: number
    /** Stops after this many; null: when the time is over. */
    faults: number | null
    isBounded: boolean
    /** Stops after a run with findings. */
    endsWhenFound: boolean
    program: string
    folder: string
  }) {
    this.name = options.name
    this.seed = options.seed
    this.random = seededRandom(options.seed)
    this.isBounded = options.isBounded
    this.#faults = options.faults
    this.#endsWhenFound = options.endsWhenFound
    this.program = options.program
    this.#commonFolder = options.folder
    this.#folder = mkdtempSync(join(options.folder, `${options.name}-`))
    this.#endsAtMs = performance.now() + options.minutes * 60_000
  }

  /** Whether there is time for another run; always true for the first. A run is never interrupted. */
  hasTime(): boolean {
    const { runs, faults, losses, differences } = this.findings
    if (this.#faults !== null && faults >= this.#faults) return false
    if (runs > 0 && performance.now() >= this.#endsAtMs) return false
    if (this.#endsWhenFound && losses.length + differences.length > 0) return false
    this.findings.runs += 1
    return true
  }

  /** A folder for a run; removed with everything else when the part ends. */
  newFolder(): string {
    return mkdtempSync(join(this.#folder, 'run-'))
  }

  /** A folder that other parts use after this one has ended. */
  newCommonFolder(): string {
    return mkdtempSync(join(this.#commonFolder, 'common-'))
  }

  /** Context for all findings from now on. */
  at(step: string): void {
    this.#step = step
  }

  addFaults(count = 1): void {
    this.findings.faults += count
  }

  addLosses(sentences: readonly string[]): void {
    this.findings.losses.push(...sentences.map((sentence) => this.#place(sentence)))
  }

  addDifferences(sentences: readonly string[]): void {
    this.findings.differences.push(...sentences.map((sentence) => this.#place(sentence)))
  }

  /** Aborted at the end, for work left running when a part fails. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** After a failure a server may still be writing. */
  end(): void {
    this.#ending.abort()
    killServersBelow(this.#folder)
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  #place(sentence: string): string {
    return `seed ${this.seed}, run ${this.findings.runs}, ${this.#step}: ${sentence}`
  }
}
