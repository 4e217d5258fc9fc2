import type { ToolCall } from '../../../model/tool-call.ts'
import type { ToolOutput } from '../../../model/tool-output.ts'
import { KNOWN_NAMES } from '../../../raw/known-names.ts'
import type { RawObject } from '../../../raw/raw-object.ts'
import { guardDepth } from '../../problems/guard-depth.ts'
import { isMask } from '../../row/is-mask.ts'
import { toIsoTime } from '../../row/to-iso-time.ts'
import { toParts } from '../parts/to-parts.ts'
import { toToolOutput } from '../parts/to-tool-output.ts'
import type { LiftContext } from '../responses/lift-context.ts'
import { selectResult } from '../responses/select-result.ts'
import { isFailedCall } from './is-failed-call.ts'
import { isManualText } from './is-manual-text.ts'
import { readExitCode } from './read-exit-code.ts'
import { rebuildDisplay } from './rebuild-display.ts'
import { toDisplay } from './to-display.ts'

/** One call with its result from wherever the log holds it unmasked. `fullResult` is that of an earlier row. */
export function toToolCall(call: RawObject, fullResult: unknown, at: string, context: LiftContext): ToolCall {
  const { problems } = context
  problems.addUnknownNames('toolCall', call, KNOWN_NAMES.toolCall, at)
  const id = toText(call.id) ?? ''
  const name = toText(call.name) ?? ''
  const { response, extras } = findResult(call, { id, name }, fullResult, context)
  const output = toToolOutput(response, `${at} ${id}`, problems)
  const status = toStatus(call.status, response, output, at, context)
  const outputText = 'text' in output ? output.text : ''
  const exitCode = name === 'run_shell_command' ? readExitCode(outputText) : null
  const display = toDisplay(call, `${at} ${id}`, problems)
  const isDrawn = display !== null || status === 'error'
  return {
    id,
    name,
    displayName: toText(call.displayName),
    description: toDescription(call, context),
    args: guardDepth(call.args ?? null, `${at} ${id} args`, problems),
    status,
    timestamp: toIsoTime(call.timestamp),
    exitCode,
    failed: isFailedCall(status, exitCode),
    output,
    display: isDrawn ? display : rebuildDisplay(name, call.args, outputText),
    extraParts: toParts(extras, `${at} ${id}`, problems),
    agentId: toText(call.agentId),
    agentKey: null,
  }
}

/** The call's own result, unless a mask replaced it and another row still has the whole; pictures from wherever they are. */
function findResult(
  call: RawObject,
  tool: { id: string; name: string },
  fullResult: unknown,
  { rest }: LiftContext,
) {
  const turn = rest.resultOfCall(call) ?? rest.resultOf(tool.id)
  const found = [call.result, turn, fullResult].map((stored) => selectResult(stored, tool, rest))
  const answered = found.filter(({ response }) => response !== undefined)
  const best = answered.find(({ response }) => !isMask(response)) ?? answered[0]
  const extras = found.map((result) => result.extras).find((parts) => parts.length > 0)
  return { response: best?.response, extras: best?.extras.length ? best.extras : (extras ?? []) }
}

/** A call known only as a `functionCall` part, or cut off by a crash, has no status of its own. */
function toStatus(
  stored: unknown,
  response: unknown,
  output: ToolOutput,
  at: string,
  { problems }: LiftContext,
): string {
  if (typeof stored === 'string' && stored !== '') {
    if (!KNOWN_NAMES.toolStatus.has(stored)) problems.addDrift('toolCall.status', stored, at)
    return stored
  }
  if (response === undefined) return 'unanswered'
  if (output.kind !== 'error') return 'success'
  return output.text.startsWith('[Operation Cancelled]') ? 'cancelled' : 'error'
}

function toDescription(call: RawObject, { rest }: LiftContext): string | null {
  const { description } = call
  if (typeof description !== 'string' || description.trim() === '') return null
  if (rest.isRepeated(description) || isManualText(description, call.args)) return null
  return description
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
