import type { SeededRandom } from '../../fixtures/seeded-random.ts'
import {
  SimulatedCli,
  type SimulatedEvent,
  type SimulatedRecord,
} from '../../packages/gemini-sessions/test/simulated-cli.ts'

const DAY_OF_SIMULATION = '2026-11-21T'
const WORDS = ['harbour', 'größe', '日本', 'vermilion', 'rounding']
/** From here on it is compressed, as the CLI does when the context is full. */
const MANY_ROWS = 24

/** One conversation of the CLI that the kit plays, and which of its records were written so far. */
export class ScriptedSession {
  readonly id: string
  readonly projectHash: string
  /** Of its first file, relative to the home. */
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

  /** The metadata line with which each file, and each run of a resumed one, begins. */
  head(kind = 'main'): string {
    return this.#line({ ...this.#metadata(), kind })
  }

  /** What a resume leaves in a file of its own: metadata, the context, and nothing else. */
  stub(): string {
    return this.head() + this.#line({ $set: { messages: this.#cli.history.slice(0, 1) } })
  }

  /** The lines that the log has to get for it. */
  play(event: SimulatedEvent): string[] {
    this.#cli.run(event)
    return this.unwritten()
  }

  unwritten(): string[] {
    const lines = this.#cli.records.slice(this.#written).map((record) => this.#line(this.#toRecord(record)))
    this.#written = this.#cli.records.length
    return lines
  }

  /** The last message again, as its tokens come in. */
  again(): string[] {
    const last = this.#cli.history.at(-1)
    return last === undefined ? [] : [this.#line(last)]
  }

  /** The document of a version up to 0.38: whole, and pretty. */
  document(): string {
    this.#written = this.#cli.records.length
    return this.#dated(
      JSON.stringify({ ...this.#metadata(), kind: undefined, messages: this.#cli.history }, null, 2),
    )
  }

  /** The sibling log that 0.39 and later begin where they find a document. */
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
