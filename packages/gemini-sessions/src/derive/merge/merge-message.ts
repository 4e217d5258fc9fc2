import type { Message } from '../../model/message.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import type { ToolOutput } from '../../model/tool-output.ts'
import { isFailedCall } from '../../parse/lift/calls/is-failed-call.ts'

/**
 * One message as two files tell it. `newer` decides; what it lacks (a resume drops no field on purpose, but masks
 * long outputs and leaves out tokens) comes from `older` (contract rule 3). Place and fate are `newer`'s alone.
 */
export function mergeMessage(newer: Message, older: Message): Message {
  // After a resume in a file of its own a copy stands there like any message: that it is one, only the older log tells.
  const copyOf = newer.copyOf ?? older.copyOf
  if (copyOf !== null) return { ...newer, copyOf, usage: null }
  return {
    ...newer,
    timestamp: newer.timestamp ?? older.timestamp,
    model: newer.model ?? older.model,
    content: newer.content.length > 0 ? newer.content : older.content,
    attachments: newer.attachments.length > 0 ? newer.attachments : older.attachments,
    thoughts: newer.thoughts.length > 0 ? newer.thoughts : older.thoughts,
    toolCalls: mergeCalls(newer.toolCalls, older.toolCalls),
    usage: newer.usage ?? older.usage,
  }
}

function mergeCalls(newer: readonly ToolCall[], older: readonly ToolCall[]): ToolCall[] {
  if (newer.length === 0) return [...older]
  return newer.map((call) => {
    const known = call.id === '' ? undefined : older.find((candidate) => candidate.id === call.id)
    return known ? mergeCall(call, known) : call
  })
}

function mergeCall(newer: ToolCall, older: ToolCall): ToolCall {
  const isUnanswered = newer.status === 'unanswered' && older.status !== 'unanswered'
  const told = isUnanswered ? older : newer
  const exitCode = newer.exitCode ?? older.exitCode
  return {
    ...told,
    exitCode,
    failed: isFailedCall(told.status, exitCode),
    output: isPoor(newer.output) && older.output.kind !== 'empty' ? older.output : newer.output,
    display: isPoorDisplay(newer.display) ? (older.display ?? newer.display) : newer.display,
    extraParts: newer.extraParts.length > 0 ? newer.extraParts : older.extraParts,
    agentId: newer.agentId ?? older.agentId,
  }
}

/** Nothing, or the stand-in that the CLI writes over long outputs (`<tool_output_masked>`, 0.29+). */
function isPoor(output: ToolOutput): boolean {
  return output.kind === 'empty' || ('text' in output && MASK.test(output.text))
}

/** As stored, a diff holds what was there before; rebuilt from the arguments it does not. */
function isPoorDisplay(display: ToolOutput | null): boolean {
  return display === null || isPoor(display) || (display.kind === 'diff' && display.isRebuilt)
}

const MASK = /^\s*<tool_output_masked/
