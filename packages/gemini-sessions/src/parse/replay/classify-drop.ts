import type { Superseded } from '../../model/message.ts'
import { toOrigin } from '../lift/prompt/to-origin.ts'
import type { LogEntry } from '../row/log-entry.ts'
import { isConversation, isSnapshot } from './entry-kinds.ts'

interface Rewrite {
  before: readonly LogEntry[]
  dropped: readonly LogEntry[]
  /** Entries first seen in this rewrite. */
  fresh: ReadonlySet<LogEntry>
  /** Originals that live on as copies under a new id; null if the rewrite made none. */
  copied: ReadonlySet<LogEntry> | null
  isAfterRewind: boolean
  /** The rewrite follows a metadata line: a new process took over the file. */
  isAfterMetadata: boolean
}

/** Why a `$set.messages` dropped each message (gemini-format of 0.44 to 0.61). */
export function classifyDrop(rewrite: Rewrite): (entry: LogEntry) => Superseded {
  const cause = toCause(rewrite)
  return (entry) => {
    if (isNotice(entry)) return 'replaced'
    if (cause !== 'aborted') return cause
    // What goes on under a new id was replaced; only what has no copy was really taken back.
    return rewrite.copied?.has(entry) || isContext(entry) ? 'replaced' : 'aborted'
  }
}

function toCause(rewrite: Rewrite): Superseded {
  if (rewrite.isAfterRewind) return 'rewound'
  if ([...rewrite.fresh].some(isSnapshot)) return 'compacted'
  if (rewrite.copied !== null) return 'aborted'
  return isRequestTakenBack(rewrite) ? 'aborted' : 'replaced'
}

/** A failed or refused request takes back the last prompt, with what already answered it, and adds nothing. */
function isRequestTakenBack({ before, dropped, fresh, isAfterMetadata }: Rewrite): boolean {
  if (isAfterMetadata || fresh.size > 0) return false
  const spoken = before.filter((entry) => !isNotice(entry))
  const taken = dropped.filter((entry) => !isNotice(entry))
  const isTail =
    taken.length > 0 && taken.every((entry, index) => entry === spoken[spoken.length - taken.length + index])
  const isOneTurn = taken.slice(1).every((entry) => toOrigin(entry.type, entry.content) !== 'human')
  return isTail && isOneTurn && taken.some((entry) => isConversation(entry) || isToolResult(entry))
}

function isNotice(entry: LogEntry): boolean {
  return entry.type === 'info' || entry.type === 'error' || entry.type === 'warning'
}

function isContext(entry: LogEntry): boolean {
  return toOrigin(entry.type, entry.content) === 'injected'
}

function isToolResult(entry: LogEntry): boolean {
  return toOrigin(entry.type, entry.content) === 'tool-result'
}
