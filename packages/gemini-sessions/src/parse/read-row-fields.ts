import type { RawObject } from '../raw/raw-object.ts'

/** The fields that a later row of the same message replaces; its tokens have a rule of their own. */
export function readRowFields(row: RawObject) {
  return {
    type: row.type,
    timestamp: row.timestamp,
    content: row.content,
    displayContent: row.displayContent,
    thoughts: row.thoughts,
    toolCalls: row.toolCalls,
    model: row.model,
  }
}
