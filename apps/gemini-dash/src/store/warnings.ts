import type { Warning } from '@gemini-dash/api'

type Said = Pick<Warning, 'code' | 'message'> & Partial<Warning> & { about?: string }

/** What the program currently works without: at most one warning per code and subject. */
export class WarningList {
  readonly #warnings = new Map<string, Warning>()
  readonly #tell: (warning: Warning) => void
  readonly #listeners: (() => void)[] = []

  /** `tell`: reports a warning to the user, once as long as it applies. */
  constructor(tell: (warning: Warning) => void = () => {}) {
    this.#tell = tell
  }

  /** A warning with the same code replaces the previous one, and is not reported again. */
  warn({ code, about = '', message, advice = null }: Said): void {
    const before = this.#warnings.get(code + about)
    if (before?.message === message && before.advice === advice) return
    const warning = { code, message, advice }
    this.#warnings.set(code + about, warning)
    if (before === undefined) this.#tell(warning)
    this.#announce()
  }

  /** The warning no longer applies. */
  clear(code: Warning['code'], about = ''): void {
    if (this.#warnings.delete(code + about)) this.#announce()
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
