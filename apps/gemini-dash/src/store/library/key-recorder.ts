import type { SessionRecord } from '@gemini-dash/session-index'
import type { GeminiHome, Scan } from 'gemini-sessions/node'
import type { KeyBook } from '../../own-data/key-book.ts'
import type { WarningBook } from '../catalog/warning-book.ts'
import { explainNotKept } from './library-warnings.ts'

/** One write for many groups that are read one after the other. */
const WRITE_AFTER_MS = 500

/** Has the keys of what was read recorded, and planned again where they cannot stay. */
export class KeyRecorder {
  readonly #keys: KeyBook
  readonly #warnings: WarningBook
  readonly #planAgain: () => void
  #timer: NodeJS.Timeout | null = null

  constructor({ keys, warnings }: { keys: KeyBook; warnings: WarningBook }, planAgain: () => void) {
    this.#keys = keys
    this.#warnings = warnings
    this.#planAgain = planAgain
  }

  get isPlanOutdated(): boolean {
    return this.#keys.isPlanOutdated
  }

  /** `homes`: those in which every file was found that is there. */
  expect({ files, missing }: Scan, homes: readonly GeminiHome[]): void {
    const reached = homes.filter(({ tmpPath }) => missing?.includes(tmpPath) !== true)
    this.#keys.expect(
      files,
      reached.map(({ path }) => path),
    )
  }

  note(records: readonly SessionRecord[]): void {
    const wasOutdated = this.#keys.isPlanOutdated
    this.#keys.note(records)
    if (!wasOutdated && this.#keys.isPlanOutdated) this.#planAgain()
    if (this.#keys.hasNews) this.#timer ??= setTimeout(() => this.#write(), WRITE_AFTER_MS).unref()
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#write()
  }

  #write(): void {
    this.#timer = null
    try {
      this.#keys.flush()
      this.#warnings.clear('keys-not-recorded')
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#warnings.warn({
        code: 'keys-not-recorded',
        ...explainNotKept('Which session each link means', reason, 'data'),
      })
    }
  }
}
