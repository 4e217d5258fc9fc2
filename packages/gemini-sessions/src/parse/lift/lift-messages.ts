import type { Message } from '../../model/message.ts'
import type { Problems } from '../problems/problems.ts'
import { createKeys } from '../row/create-keys.ts'
import type { LogEntry } from '../row/log-entry.ts'
import { place } from '../row/place.ts'
import type { LiftedEntries } from './lifted-entries.ts'
import { markNudges } from './mark-nudges.ts'
import { markSubagentMessages } from './mark-subagent-messages.ts'
import type { LiftContext } from './responses/lift-context.ts'
import { restOfLog } from './responses/rest-of-log.ts'
import { settleFlatResults } from './responses/settle-flat-results.ts'
import { settleRepeatedIds } from './responses/settle-repeated-ids.ts'
import { toMessage } from './to-message.ts'

interface LiftInput {
  path: string
  isSubagentFile: boolean
  /** Everything ever recorded, in order of its first record. */
  entries: readonly LogEntry[]
  live: readonly LogEntry[]
  problems: Problems
  /** What was made of the entries when they were lifted last; null: nobody asks again. */
  lifted: LiftedEntries | null
}

interface LiftedMessages {
  /** In the order in which they are drawn. */
  messages: Message[]
  byEntry: ReadonlyMap<LogEntry, Message>
}

/** Everything a file recorded, in the form of the model. */
export function liftMessages(input: LiftInput): LiftedMessages {
  const { path, isSubagentFile, entries, live, problems, lifted } = input
  const toKey = createKeys()
  const isLive = new Set(live)
  const context: LiftContext = { path, isSubagentFile, rest: restOfLog(entries), problems }
  const byEntry = new Map<LogEntry, Message>()
  for (const entry of entries) {
    const superseded = isLive.has(entry) ? null : (entry.droppedBy ?? 'replaced')
    const lift = { entry, key: toKey(entry.id), superseded }
    const message = lifted?.toMessage(lift, context) ?? toMessage(lift, context)
    byEntry.set(entry, message)
    // Originals are recorded before their copies, so a copy of a copy is complete in its turn.
    const original = entry.copyOf ? byEntry.get(entry.copyOf) : undefined
    if (original) drawLikeOriginal(message, original)
  }
  const recorded = [...byEntry.values()]
  settleRepeatedIds(recorded)
  settleFlatResults(recorded)
  markNudges(recorded)
  const messages = place(entries, live).flatMap((entry) => byEntry.get(entry) ?? [])
  markSubagentMessages(messages)
  return { messages, byEntry }
}

/** A copy lost its thoughts, calls, displays and model, and is no model call of its own. */
function drawLikeOriginal(copy: Message, original: Message): void {
  copy.copyOf = original.key
  copy.thoughts = original.thoughts
  copy.toolCalls = original.toolCalls
  copy.model = original.model
  copy.usage = null
}
