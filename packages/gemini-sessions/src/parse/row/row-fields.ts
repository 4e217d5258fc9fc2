import type { RawObject } from '../../raw/raw-object.ts'
import { isRawObject } from '../../raw/raw-object.ts'

/** The fields that a later row of the same message replaces; its tokens have a rule of their own. */
export function readRowFields(row: RawObject) {
  return {
    // Some tools that write this format call it so.
    type: toKnownType(row.type) ?? row.role,
    timestamp: row.timestamp,
    content: row.content,
    displayContent: row.displayContent,
    thoughts: row.thoughts,
    toolCalls: row.toolCalls,
    model: row.model,
  }
}

/** A description of the format that other tools write by calls a prompt `human`. */
function toKnownType(type: unknown): unknown {
  return type === 'human' ? 'user' : type
}

export function toCallRows(toolCalls: unknown): RawObject[] {
  return Array.isArray(toolCalls) ? toolCalls.filter(isRawObject) : []
}
