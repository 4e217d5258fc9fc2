import type { Warning } from '@gemini-dash/api'

type Code = Warning['code']

/** What the program goes on without just now: at most one warning for a code, or for a code and what it is about. */
export class WarningBook {
  readonly #warnings = new Map<string, Warning>()
  readonly #tell: (warning: Warning) => void
  readonly #listeners: (() => void)[] = []

  /** `tell`: says a warning to the person in front, once as long as it holds. */
  constructor(tell: (warning: Warning) => void = () => {}) {
    this.#tell = tell
  }

  /** The same code again replaces what was said, and is not told a second time unless it is `about` something. */
  warn(
    { code, message, advice = null }: Pick<Warning, 'code' | 'message'> & Partial<Warning>,
    about = '',
  ): void {
    const key = `${code} ${about}`
    const before = this.#warnings.get(key)
    if (before?.message === message && before.advice === advice) return
    const warning = { code, message, advice }
    this.#warnings.set(key, warning)
    if (before === undefined || about !== '') this.#tell(warning)
    this.#announce()
  }

  /** It holds no longer. */
  clear(code: Code, about = ''): void {
    if (this.#warnings.delete(`${code} ${about}`)) this.#announce()
  }

  has(code: Code): boolean {
    return this.#warnings.has(`${code} `)
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
