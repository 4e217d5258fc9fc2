import { isRawObject, type RawObject } from '../../../raw/raw-object.ts'
import type { LogEntry } from '../../row/log-entry.ts'
import { isResultMasked } from '../../row/masks.ts'
import { toCallRows } from '../../row/row-fields.ts'
import { flattenContent } from '../parts/plain-text.ts'
import { splitToolTurn } from './split-tool-turn.ts'
import { unrecordedCalls } from './unrecorded-calls.ts'

/** Own lines are short or quote the arguments; a sentence this long under different arguments is a manual. */
const SHORTEST_MANUAL = 60

/** What the lift of one message asks of the rest of its file. */
export interface RestOfLog {
  /** Some call is recorded under this id. */
  isCallId(id: unknown): boolean
  /** The parts of a `user` turn that brought the result of the call with this id; unmasked ones first. */
  resultOf(callId: unknown): unknown
  /** The same by the stored call, where call and result share no id (API turns have none). */
  resultOfCall(call: unknown): unknown
  /** This part brings a result whose call is recorded nowhere. */
  isOrphan(part: unknown): boolean
  /** The description stands on calls with different arguments. */
  isRepeated(description: unknown): boolean
}

export function restOfLog(entries: readonly LogEntry[]): RestOfLog {
  const { callIds, byId, byCall, orphans } = joinResponses(entries)
  const repeated: ReadonlySet<unknown> = findRepeatedDescriptions(entries.map((entry) => entry.toolCalls))
  return {
    isCallId: (id) => callIds.has(id),
    resultOf: (callId) => byId.get(callId),
    resultOfCall: (call) => byCall.get(call),
    isOrphan: (part) => orphans.has(part),
    isRepeated: (description) => repeated.has(description),
  }
}

/** Descriptions that stand on calls with different arguments: manuals of tools that we don't know (MCP, up to 0.34). */
function findRepeatedDescriptions(toolCallLists: Iterable<unknown>): ReadonlySet<string> {
  const firstArgs = new Map<string, unknown>()
  const repeated = new Set<string>()
  for (const toolCalls of toolCallLists) {
    if (!Array.isArray(toolCalls)) continue
    for (const call of toolCalls) {
      if (!isRawObject(call)) continue
      const { description, args } = call
      if (typeof description !== 'string' || description.length < SHORTEST_MANUAL) continue
      if (repeated.has(description)) continue
      if (!firstArgs.has(description)) firstArgs.set(description, args)
      else if (isOtherArgs(firstArgs.get(description), args)) repeated.add(description)
    }
  }
  return repeated
}

/** Compares one level: enough to tell calls apart, and cheap. */
function isOtherArgs(first: unknown, second: unknown): boolean {
  const a = Object.entries(first ?? {})
  const b = new Map(Object.entries(second ?? {}))
  return a.length !== b.size || a.some(([name, value]) => typeof value !== 'object' && b.get(name) !== value)
}

/** What the `user` turns of a file (0.44+, saved chats) bring back, joined to the calls that asked for it. */
interface Responses {
  callIds: ReadonlySet<unknown>
  /** The parts that brought a call's result, by the call's id; unmasked ones first. */
  byId: ReadonlyMap<unknown, unknown>
  /** The same by the stored call, where call and result share no id (API turns have none). */
  byCall: ReadonlyMap<unknown, unknown>
  /** functionResponse parts whose call is recorded nowhere. */
  orphans: ReadonlySet<unknown>
}

function joinResponses(entries: readonly LogEntry[]): Responses {
  const calls = new Map(
    entries.map((entry) => [entry, [...toCallRows(entry.toolCalls), ...unrecordedCalls(entry)]]),
  )
  const turns = new Map(entries.map((entry) => [entry, answersOf(entry)]))
  const callIds = idsOf([...calls.values()].flat())
  const responseIds = idsOf([...turns.values()].flat().map(responseOf))
  const byId = new Map<string, unknown>()
  const unnamed = new UnnamedCalls()
  for (const entry of entries) {
    unnamed.open((calls.get(entry) ?? []).filter((call) => isUnanswered(call, responseIds)))
    const answers = turns.get(entry) ?? []
    for (const answer of answers) {
      const { id } = responseOf(answer)
      if (typeof id !== 'string' || !callIds.has(id)) unnamed.answer(answer)
      else if (!byId.has(id) || isResultMasked(byId.get(id), id)) {
        byId.set(id, entry.fullResults?.get(id) ?? answer)
      }
    }
    // What a person says next ends the wait for results.
    if (answers.length === 0 && entry.type === 'user') unnamed.close()
  }
  return { callIds, byId, byCall: unnamed.answered, orphans: unnamed.orphans }
}

/** Calls that no id links to a result: results come in the order of the calls, under the same tool's name. */
class UnnamedCalls {
  readonly answered = new Map<unknown, unknown>()
  readonly orphans = new Set<unknown>()
  readonly #told = new Set<string>()
  #waiting: RawObject[] = []

  open(calls: readonly RawObject[]): void {
    this.#waiting.push(...calls)
  }

  answer(answer: readonly unknown[]): void {
    const { name, response } = responseOf(answer)
    const identity = `${name}\n${textOf(response)}`
    const index = this.#waiting.findIndex((call) => call.name === name)
    const [call] = index === -1 ? [] : this.#waiting.splice(index, 1)
    if (call !== undefined) {
      this.answered.set(call, answer)
      this.#told.add(identity)
    } else if (!this.#told.has(identity)) this.orphans.add(answer[0])
  }

  close(): void {
    this.#waiting = []
  }
}

function answersOf({ type, content }: LogEntry): unknown[][] {
  if (type !== 'user' || typeof content === 'string') return []
  return splitToolTurn(flattenContent(content)).answers
}

function responseOf([part]: readonly unknown[]): RawObject {
  return isRawObject(part) && isRawObject(part.functionResponse) ? part.functionResponse : {}
}

function textOf(response: unknown): unknown {
  return isRawObject(response) ? (response.output ?? response.error) : response
}

function isUnanswered(call: RawObject, responseIds: ReadonlySet<string>): boolean {
  const isNamed = isId(call.id) && responseIds.has(call.id)
  const hasResult = Array.isArray(call.result) ? call.result.length > 0 : (call.result ?? null) !== null
  return !isNamed && !hasResult
}

function idsOf(rows: readonly RawObject[]): Set<string> {
  return new Set(rows.map(({ id }) => id).filter(isId))
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== ''
}
