import { IndexFault, openSessionIndex, type SessionIndex } from '@gemini-dash/session-index'
import type { WarningBook } from './catalog/warning-book.ts'
import type { Library } from './library/library.ts'
import { compileLater } from './rest/compile-later.ts'

export interface IndexOpeningOptions {
  /** null: nothing is kept. */
  directory: string | null
  workerUrl: URL
  isWatching: boolean
  warnings: WarningBook
  /** It opens the index, and hears of it. */
  library: () => Library
}

const CACHE_ADVICE =
  'Answers are the same, and the next start reads again what was not kept. Another folder can be named with --cache-dir.'

/** The index of a store: opened when it is first needed, and once more after it could not be. */
export class IndexOpening {
  readonly #options: IndexOpeningOptions
  #opened: Promise<SessionIndex> | null = null

  constructor(options: IndexOpeningOptions) {
    this.#options = options
  }

  readonly opened = (): Promise<SessionIndex> | null => this.#opened

  readonly open = (): Promise<SessionIndex> => {
    const { warnings } = this.#options
    if (this.#opened === null) compileLater()
    this.#opened ??= openSessionIndex(this.#indexOptions()).then(
      (opened) => {
        warnings.clear('worker-restarted')
        return opened
      },
      (error: unknown) => {
        // Whoever needs it next tries again.
        this.#opened = null
        throw error
      },
    )
    return this.#opened
  }

  #indexOptions(): Parameters<typeof openSessionIndex>[0] {
    const { directory, workerUrl, isWatching, warnings, library } = this.#options
    return {
      directory,
      workerUrl,
      onDown: (problem) => {
        if (problem === null) warnings.clear('worker-restarted')
        // A command that ends has its error say so.
        else if (!isWatching) library().indexing.giveUp(new IndexFault(problem))
        else warnings.warn({ code: 'worker-restarted', message: problem })
      },
      onLost: (groupIds) => library().indexing.lose(groupIds),
      onUnread: (groupId, files) => library().unread.note(groupId, files),
      onProblem: (message) => {
        if (message === null) return warnings.clear('cache-not-kept')
        warnings.warn({ code: 'cache-not-kept', message, advice: CACHE_ADVICE })
        // One cause, one warning.
        warnings.clear('rows-not-kept')
        warnings.clear('opened-not-kept')
      },
    }
  }
}
