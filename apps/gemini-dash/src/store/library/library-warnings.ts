import type { Unread, Warning } from '@gemini-dash/api'
import { formatPlural } from '@gemini-dash/api/figures'
import { countUnread, type UnreadBook } from '../catalog/unread-book.ts'
import type { WarningBook } from '../catalog/warning-book.ts'

type Explanation = Pick<Warning, 'message' | 'advice'>

const TELLING_DELAY_MS = 300

const UNREAD_ADVICE: Readonly<Record<string, string>> = {
  EACCES: '"gemini-dash doctor" names them; check who may read them.',
  EPERM: '"gemini-dash doctor" names them; check who may read them.',
  EIO: 'The disk reports errors: make a copy of what matters, and check it.',
  EMFILE: 'Too many files are open at once: raise the limit (ulimit -n).',
  ENFILE: 'Too many files are open on this system: end programs that hold many.',
  ENOENT:
    'What was deleted leaves the list by itself; if the folder of sessions lies on another disk, connect that again.',
}

/** Tells what the system does not let the library do. */
export class LibraryWarnings {
  readonly #warnings: WarningBook
  #telling: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(warnings: WarningBook) {
    this.#warnings = warnings
  }

  /** What comes and goes together is told together. */
  tellUnread(unread: UnreadBook): void {
    if (this.#isClosed) return
    this.#telling ??= setTimeout(() => {
      this.#telling = null
      const count = countUnread(unread.files())
      if (count === undefined) this.#warnings.clear('files-unread')
      else this.#warnings.warn({ code: 'files-unread', ...explainUnread(count) })
    }, TELLING_DELAY_MS).unref()
  }

  /** The system does not let us watch so many folders. */
  tellWatchLimit(unwatched: number, code: string): void {
    if (unwatched === 0) this.#warnings.clear('watch-limit')
    else this.#warnings.warn({ code: 'watch-limit', ...explainWatchLimit(unwatched, code) })
  }

  close(): void {
    this.#isClosed = true
    if (this.#telling !== null) clearTimeout(this.#telling)
  }
}

/** What is not read, in a sentence, and what to do about it. */
export function explainUnread({ files, reasons }: Unread): Explanation {
  const codes = Object.keys(reasons)
  const counted = codes.length === 1 ? codes[0] : codes.map((code) => `${code}: ${reasons[code]}`).join(', ')
  const what = `${formatPlural(files, 'file or folder', 'files or folders')} cannot be read`
  return {
    message: `${what} just now (${counted}). What was known of them before counts; they are tried again.`,
    advice: UNREAD_ADVICE[codes[0] ?? ''] ?? '"gemini-dash doctor" names them.',
  }
}

/** @param what the disk did not take @param reason the disk's own words */
export function explainNotKept(
  what: string,
  reason: string,
  folder: 'cache' | 'data' = 'cache',
): Explanation {
  return {
    message: `${what} cannot be kept on disk (${reason}).`,
    advice: `Everything is shown all the same, and it is tried again. Free some room on the disk, or name another folder with --${folder}-dir.`,
  }
}

/** What is not watched, what happens instead, and what to raise. */
function explainWatchLimit(unwatched: number, code: string): Explanation {
  const what = formatPlural(unwatched, 'folder')
  return {
    message: `The system lets us watch no more folders (${code}): ${what} of sessions are looked at every 30 seconds instead, so changes there are seen later.`,
    advice:
      code === 'ENOSPC'
        ? 'Raise fs.inotify.max_user_watches (sudo sysctl fs.inotify.max_user_watches=524288).'
        : 'Raise fs.inotify.max_user_instances (sudo sysctl fs.inotify.max_user_instances=1024) or the limit of open files (ulimit -n).',
  }
}
