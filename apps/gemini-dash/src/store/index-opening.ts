import { IndexFault, openSessionIndex, type SessionIndex } from '@gemini-dash/session-index'
import type { WarningBook } from './catalog/warning-book.ts'
import type { Library } from './library/library.ts'

/** Bytes of bytecode that run between two looks at what is hot; V8's own is 66 KB. */
const INTERRUPT_BUDGET = 540_000
/** About so many bytes of a function of SQLite's WebAssembly run before it is optimized; V8's own are 1.8 MB. */
const TIERING_BUDGET = 50_000_000

export interface IndexOpeningOptions {
  /** null: nothing is kept. */
  directory: string | null
  workerUrl: URL
  isWatching: boolean
  /** Sessions that are being opened: see `openSessionIndex`. */
  openings: Int32Array
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
  #index: SessionIndex | null = null

  constructor(options: IndexOpeningOptions) {
    this.#options = options
  }

  readonly opened = (): Promise<SessionIndex> | null => this.#opened

  /** Has the index see whether its folder is still there: a loss is told before this returns. */
  look(): void {
    this.#index?.isKept()
  }

  readonly open = (): Promise<SessionIndex> => {
    const { warnings } = this.#options
    if (this.#opened === null) compileLater()
    this.#opened ??= openSessionIndex(this.#indexOptions()).then(
      (opened) => {
        warnings.clear('worker-restarted')
        this.#index = opened
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
    const { directory, workerUrl, isWatching, openings, warnings, library } = this.#options
    return {
      directory,
      workerUrl,
      openings,
      onDown: (problem) => {
        if (problem === null) warnings.clear('worker-restarted')
        // A command that ends has its error say so.
        else if (!isWatching) library().indexing.giveUp(new IndexFault(problem))
        else warnings.warn({ code: 'worker-restarted', message: problem })
      },
      onLost: (groupIds) => library().indexing.lose(groupIds),
      onUnread: (groupId, files) => {
        const { catalog, unread } = library()
        // the index may still search in what the last look found gone
        if (catalog.group(groupId) !== undefined) unread.note(groupId, files)
      },
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

/**
 * Has V8 optimize what runs long instead of whatever runs a little: reading sessions is much code that differs from file
 * to file, and each thread compiles its own. Measured while indexing 1 GB: compiling took 6 s of processor time, of 25 in
 * all; now it takes 3.7, and nothing else takes longer. From Node 22 on V8 has a compiler between, and needs no word, and
 * SQLite is Node's own.
 */
function compileLater(): void {
  if (!process.versions.v8.startsWith('11.')) return
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`)
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`)
}
