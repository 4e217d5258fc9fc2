import { isRawObject } from '../../raw/raw-object.ts'
import type { LogEntry } from '../row/log-entry.ts'
import { isFilled } from './fill-entry.ts'
import { isLoadedByCli } from './is-loaded-by-cli.ts'

/**
 * A row of a `$set.messages` without the fields that `fillFromRewrite` would not look at, because the entry has them
 * from an ordinary row. A list of 100 MB mostly repeats what is known; so it is not held a second time while it arrives.
 */
export function slimRow(row: unknown, find: (id: string) => LogEntry | undefined): unknown {
  if (!isRawObject(row) || typeof row.id !== 'string') return row
  const entry = find(row.id)
  if (!entry || entry.isFromRewritesOnly) return row
  const { id, type, content, thoughts, toolCalls, model, tokens } = row
  const isContentRead = !isFilled(entry.content) || !isLoadedByCli(row)
  return {
    id,
    type,
    // Empty for who asks whether the CLI can load it.
    content: isContentRead ? content : '',
    displayContent: isContentRead ? row.displayContent : undefined,
    thoughts: isFilled(entry.thoughts) ? undefined : thoughts,
    toolCalls: isFilled(entry.toolCalls) ? undefined : toolCalls,
    model,
    tokens,
  }
}
