import type { SeededRandom } from '../../fixtures/seeded-random.ts'
import {
  SimulatedCli,
  type SimulatedEvent,
  type SimulatedRecord,
} from '../../packages/gemini-sessions/test/simulated-cli.ts'

const DAY_OF_SIMULATION = '2026-11-21T'
const WORDS = ['harbour', 'größe', '日本', 'vermilion', 'rounding']
/** From this length on it is compressed, as the CLI does when the context is full. */
const MANY_ROWS = 24

/** A simulated conversation of the CLI, and which of its records have been written. */
export class ScriptedSession {
  readonly id: string
  readonly projectHash: string
  /** Path of its first file, relative to the Gemini folder. */
  path: string
  format: 'json' | 'jsonl'
  readonly #cli = new SimulatedCli()
  readonly #day: string
  readonly #word: string
  readonly #minute: string
  #written = 0

  constructor(
    random: SeededRandom,
    project: { folder: string; hash: string },
    format: 'json' | 'jsonl',
    number: number,
  ) {
    this.projectHash = project.hash
    this.id = random.uuid()
    this.#day = `2026-${String(1 + (number % 9)).padStart(2, '0')}-${String(10 + (number % 18)).padStart(2, '0')}T`
    this.#minute = String(10 + (number % 50))
    this.#word = random.pick(WORDS)
    this.format = format
    this.path = `${project.folder}/${this.fileName(this.#minute, format)}`
  }

  fileName(minute: string, format: 'json' | 'jsonl'): string {
    return `session-${this.#day}20-${minute}-${this.id.slice(0, 8)}.${format}`
  }

  get needsCompression(): boolean {
    return this.#cli.history.length > MANY_ROWS
  }

  /** The metadata line at the start of each file, and of each resumed run in it. */
  head(kind = 'main'): string {
    return this.#line({ ...this.#metadata(), kind })
  }

  /** The separate file created by a resume: only metadata and the context. */
  stub(): string {
    return this.head() + this.#line({ $set: { messages: this.#cli.history.slice(0, 1) } })
  }

  /** The lines to append for an event. */
  play(event: SimulatedEvent): string[] {
    this.#cli.run(event)
    return this.unwritten()
  }

  unwritten(): string[] {
    const lines = this.#cli.records.slice(this.#written).map((record) => this.#line(this.#toRecord(record)))
    this.#written = this.#cli.records.length
    return lines
  }

  /** The last message again, as with updated tokens. */
  again(): string[] {
    const last = this.#cli.history.at(-1)
    return last === undefined ? [] : [this.#line(last)]
  }

  /** The document of a version up to 0.38: complete and indented. */
  document(): string {
    this.#written = this.#cli.records.length
    return this.#dated(
      JSON.stringify({ ...this.#metadata(), kind: undefined, messages: this.#cli.history }, null, 2),
    )
  }

  /** The log that 0.39 and later create beside a document. */
  migrated(): string {
    this.format = 'jsonl'
    this.path = this.path.replace(/json$/, 'jsonl')
    this.#written = this.#cli.records.length
    return this.#line({ ...this.#metadata(), messages: this.#cli.history })
  }

  #metadata() {
    const time = `${DAY_OF_SIMULATION}20:${this.#minute}:00.000Z`
    return {
      sessionId: this.id,
      projectHash: this.projectHash,
      startTime: time,
      lastUpdated: time,
      kind: 'main',
    }
  }

  #toRecord(record: SimulatedRecord): unknown {
    if (Array.isArray(record)) return { $set: { messages: record } }
    return 'startTime' in record && !('id' in record) ? { ...this.#metadata(), ...record } : record
  }

  #line(record: unknown): string {
    return `${this.#dated(JSON.stringify(record))}\n`
  }

  #dated(text: string): string {
    return text.replaceAll(DAY_OF_SIMULATION, this.#day).replaceAll('"go on"', `"go on with ${this.#word}"`)
  }
}
