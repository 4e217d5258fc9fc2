import type { Unread, Warning } from '@gemini-dash/api'
import { formatPlural } from '@gemini-dash/api/figures'
import type { WarningList } from '../warnings.ts'
import { countUnread, type Retries } from './retries.ts'

type Explanation = Pick<Warning, 'message' | 'advice'>

const TELLING_DELAY_MS = 300

const UNREAD_ADVICE: Readonly<Record<string, string>> = {
  EACCES: '"gemini-dash doctor" lists them. Check their permissions.',
  EPERM: '"gemini-dash doctor" lists them. Check their permissions.',
  EIO: 'The disk reports errors. Back up what matters, then check the disk.',
  EMFILE: 'Too many files are open. Raise the limit (ulimit -n).',
  ENFILE: 'Too many files are open on this system. Quit programs that have many open.',
  ENOENT: 'Deleted sessions disappear from the list. If your sessions are on another disk, reconnect it.',
}

/** Warns about what the system does not allow the sync to do. */
export class SyncWarnings {
  readonly #warnings: WarningList
  #telling: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(warnings: WarningList) {
    this.#warnings = warnings
  }

  /** Files that become unreadable or readable together are reported together. */
  tellUnread(unread: Retries): void {
    if (this.#isClosed) return
    this.#telling ??= setTimeout(() => {
      this.#telling = null
      const count = countUnread(unread.files())
      if (count === undefined) this.#warnings.clear('files-unread')
      else this.#warnings.warn({ code: 'files-unread', ...explainUnread(count) })
    }, TELLING_DELAY_MS).unref()
  }

  /** The system does not allow watching this many folders. */
  tellWatchLimit(unwatched: number, code: string): void {
    if (unwatched === 0) this.#warnings.clear('watch-limit')
    else this.#warnings.warn({ code: 'watch-limit', ...explainWatchLimit(unwatched, code) })
  }

  close(): void {
    this.#isClosed = true
    if (this.#telling !== null) clearTimeout(this.#telling)
  }
}

/** What is not read, as a sentence, and what to do about it. */
export function explainUnread({ files, reasons }: Unread): Explanation {
  const codes = Object.keys(reasons)
  const counted = codes.length === 1 ? codes[0] : codes.map((code) => `${code}: ${reasons[code]}`).join(', ')
  const what = `${formatPlural(files, 'file or folder', 'files or folders')} cannot be read`
  return {
    message: `${what} (${counted}). Their last known content is shown, and gemini-dash tries again.`,
    advice: UNREAD_ADVICE[codes[0] ?? ''] ?? '"gemini-dash doctor" lists them.',
  }
}

/** @param what could not be written @param reason the system's message @param option that names another folder */
export function explainNotKept(what: string, reason: string, option = '--cache-dir'): Explanation {
  return {
    message: `${what} cannot be saved on disk (${reason}).`,
    advice: `Everything is still shown, and gemini-dash tries again. Free some disk space, or choose another folder with ${option}.`,
  }
}

/** What is not watched, what happens instead, and which limit to raise. */
function explainWatchLimit(unwatched: number, code: string): Explanation {
  const what = formatPlural(unwatched, 'folder')
  return {
    message: `The system can’t watch any more folders (${code}). ${what} of sessions are checked every 30 seconds instead, so changes there appear later.`,
    advice:
      code === 'ENOSPC'
        ? 'Raise fs.inotify.max_user_watches (sudo sysctl fs.inotify.max_user_watches=524288).'
        : 'Raise fs.inotify.max_user_instances (sudo sysctl fs.inotify.max_user_instances=1024) or the limit of open files (ulimit -n).',
  }
}
