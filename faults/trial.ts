import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type SeededRandom, seededRandom } from '../fixtures/seeded-random.ts'
import { killServersBelow } from './program/start-server.ts'

/** What a part of the kit found, for the table at the end. */
export interface Findings {
  runs: number
  faults: number
  losses: string[]
  differences: string[]
}

/** A part of the kit at work: its seed, its time, its folder and what it found. */
export class Trial {
  readonly name: string
  readonly seed: number
  readonly random: SeededRandom
  /** The short form that `npm run test:all` runs. */
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
    /** No more runs after so many; null: as many as there is time for. */
    faults: number | null
    isBounded: boolean
    /** No more runs after one that found something. */
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

  /** One more run while there is time; at least one. Runs end when they are through. */
  hasTime(): boolean {
    const { runs, faults, losses, differences } = this.findings
    if (this.#faults !== null && faults >= this.#faults) return false
    if (runs > 0 && performance.now() >= this.#endsAtMs) return false
    if (this.#endsWhenFound && losses.length + differences.length > 0) return false
    this.findings.runs += 1
    return true
  }

  /** Where a run writes; removed with all that the part leaves. */
  newFolder(): string {
    return mkdtempSync(join(this.#folder, 'run-'))
  }

  /** For what other parts go on with when this one has ended. */
  newCommonFolder(): string {
    return mkdtempSync(join(this.#commonFolder, 'common-'))
  }

  /** Stands beside whatever is found from now on. */
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

  /** Aborted at the end, for what a part leaves at work where it breaks off. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Where a part broke off, a server may write yet. */
  end(): void {
    this.#ending.abort()
    killServersBelow(this.#folder)
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  #place(sentence: string): string {
    return `seed ${this.seed}, run ${this.findings.runs}, ${this.#step}: ${sentence}`
  }
}
