import type { ToolOutput } from '../../../model/tool-output.ts'
import { isRawObject } from '../../../raw/raw-object.ts'
import { guardDepth } from '../../problems/guard-depth.ts'
import type { Problems } from '../../problems/problems.ts'

/** What the model got back, from the `response` of a functionResponse. */
export function toToolOutput(response: unknown, at: string, problems: Problems): ToolOutput {
  if (response === undefined || response === null) return { kind: 'empty' }
  if (typeof response === 'string') return toText(response)
  if (isRawObject(response)) {
    const names = Object.keys(response)
    if (names.length === 0) return { kind: 'empty' }
    const { output, error } = response
    // Both: a shell command that was cancelled after some output.
    if (typeof error === 'string') {
      return { kind: 'error', text: typeof output === 'string' ? `${error}\n${output}` : error }
    }
    if (typeof output === 'string' && names.length === 1) return toText(output)
  }
  return { kind: 'unknown', json: guardDepth(response, at, problems) }
}

function toText(text: string): ToolOutput {
  return text === '' ? { kind: 'empty' } : { kind: 'text', text }
}
