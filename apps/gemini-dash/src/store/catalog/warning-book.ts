import type { Warning } from '@gemini-dash/api'

/** What the program goes on without just now: at most one warning a code. */
export class WarningBook {
  readonly #warnings = new Map<Warning['code'], Warning>()
  readonly #tell: (warning: Warning) => void
  readonly #listeners: (() => void)[] = []

  /** `tell`: says a warning to the person in front, once as long as it holds. */
  constructor(tell: (warning: Warning) => void = () => {}) {
    this.#tell = tell
  }

  /** The same code again replaces what was said, and is not told a second time. */
  warn({ code, message, advice = null }: Pick<Warning, 'code' | 'message'> & Partial<Warning>): void {
    const before = this.#warnings.get(code)
    if (before?.message === message && before.advice === advice) return
    const warning = { code, message, advice }
    this.#warnings.set(code, warning)
    if (before === undefined) this.#tell(warning)
    this.#announce()
  }

  /** It holds no longer. */
  clear(code: Warning['code']): void {
    if (this.#warnings.delete(code)) this.#announce()
  }

  has(code: Warning['code']): boolean {
    return this.#warnings.has(code)
  }

  all(): Warning[] {
    return [...this.#warnings.values()]
  }

  /** Calls the listener after every change. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  #announce(): void {
    for (const listener of this.#listeners) listener()
  }
}
