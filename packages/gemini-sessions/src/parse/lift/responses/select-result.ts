import { isRawObject, type RawObject } from '../../../raw/raw-object.ts'
import { flattenContent } from '../parts/flatten-content.ts'
import type { RestOfLog } from './rest-of-log.ts'

interface SelectedResult {
  /** The `response` of the call's own functionResponse; undefined if there is none. */
  response: unknown
  /** Parts that came back beside it. */
  extras: unknown[]
}

/**
 * A call's own part of a stored result. After a resume (0.44+) `result` holds the results of all calls of
 * the turn; what stands between a functionResponse and the next one belongs to the first. Where no id leads to it, a
 * result that is no other call's (`rest`) will do: the only one, else the first under the tool's name.
 */
export function selectResult(
  result: unknown,
  { id, name }: { id: string; name?: string },
  rest: Pick<RestOfLog, 'isCallId'>,
): SelectedResult {
  if (typeof result === 'string') return { response: result, extras: [] }
  const parts = flattenContent(result)
  const responses = parts.flatMap((part, index) => (toResponse(part) ? [index] : []))
  const start =
    responses.find((index) => toResponse(parts[index])?.id === id) ??
    findUnnamed(
      responses.filter((index) => !rest.isCallId(toResponse(parts[index])?.id)),
      (index) => toResponse(parts[index])?.name === name,
    )
  if (start === undefined) {
    return { response: undefined, extras: responses.length === 0 ? parts : [] }
  }
  const next = responses.find((index) => index > start) ?? parts.length
  const from = responses.length === 1 ? 0 : start
  const extras = parts.slice(from, next).filter((_, offset) => from + offset !== start)
  const { response, parts: inner } = toResponse(parts[start]) ?? {}
  return { response, extras: [...extras, ...flattenContent(inner)] }
}

function findUnnamed(indices: readonly number[], isOwnTool: (index: number) => boolean): number | undefined {
  return indices.length === 1 ? indices[0] : indices.find(isOwnTool)
}

function toResponse(part: unknown): RawObject | null {
  return isRawObject(part) && isRawObject(part.functionResponse) ? part.functionResponse : null
}
