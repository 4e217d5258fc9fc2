import type { Warning } from '@gemini-dash/api'

type Said = Pick<Warning, 'code' | 'message'> & Partial<Warning> & { about?: string }

/** What the program goes on without just now: at most one warning a code, and thing that it is about. */
export class WarningList {
  readonly #warnings = new Map<string, Warning>()
  readonly #tell: (warning: Warning) => void
  readonly #listeners: (() => void)[] = []

  /** `tell`: says a warning to the person in front, once as long as it holds. */
  constructor(tell: (warning: Warning) => void = () => {}) {
    this.#tell = tell
  }

  /** The same code again replaces what was said, and is not told a second time. */
  warn({ code, about = '', message, advice = null }: Said): void {
    const before = this.#warnings.get(code + about)
    if (before?.message === message && before.advice === advice) return
    const warning = { code, message, advice }
    this.#warnings.set(code + about, warning)
    if (before === undefined) this.#tell(warning)
    this.#announce()
  }

  /** It holds no longer. */
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
