import type { Message, ToolCall } from '../../model/message.ts'
import { isRawObject, type RawObject } from '../../raw.ts'
import type { Problems } from '../problems.ts'
import { isResultMasked, type LogEntry, toCallRows } from '../row.ts'
import { flattenContent } from './parts.ts'

/** Descriptions of a call are short or quote the arguments; a sentence this long with different arguments is a manual. */
const SHORTEST_MANUAL = 60

/** What lifting one message needs from the rest of its file. */
export interface RestOfLog {
  /** A call with this id is recorded. */
  isCallId(id: unknown): boolean
  /** The parts of a `user` turn with the result of the call with this id; unmasked ones first. */
  resultOf(callId: unknown): unknown
  /** The same by the stored call, if call and result share no id (API turns have none). */
  resultOfCall(call: unknown): unknown
  /** This part has a result whose call is recorded nowhere. */
  isOrphan(part: unknown): boolean
  /** The description is used by calls with different arguments. */
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

/** Descriptions used by calls with different arguments: manuals of unknown tools (MCP, up to 0.34). */
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

/** Compares one level: enough to distinguish calls, and cheap. */
function isOtherArgs(first: unknown, second: unknown): boolean {
  const a = Object.entries(first ?? {})
  const b = new Map(Object.entries(second ?? {}))
  return a.length !== b.size || a.some(([name, value]) => typeof value !== 'object' && b.get(name) !== value)
}

/** The results in the `user` turns of a file (0.44+, saved chats), joined to their calls. */
interface Responses {
  callIds: ReadonlySet<unknown>
  /** The parts with a call's result, by the call's id; unmasked ones first. */
  byId: ReadonlyMap<unknown, unknown>
  /** The same by the stored call, if call and result share no id (API turns have none). */
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
    // The next user message ends the wait for results.
    if (answers.length === 0 && entry.type === 'user') unnamed.close()
  }
  return { callIds, byId, byCall: unnamed.answered, orphans: unnamed.orphans }
}

/** Calls without an id that links to a result: results come in the order of the calls, with the same tool name. */
class UnnamedCalls {
  readonly answered = new Map<unknown, unknown>()
  readonly orphans = new Set<unknown>()
  readonly #answered = new Set<string>()
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
      this.#answered.add(identity)
    } else if (!this.#answered.has(identity)) this.orphans.add(answer[0])
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

interface ToolTurn {
  /** For each functionResponse, the part itself and what was returned with it. */
  answers: unknown[][]
  /** Everything in the same turn that is not from a tool: text of the user or the CLI. */
  rest: unknown[]
}

/**
 * Separates the results in a `user` turn from other text in it: the CLI joins adjacent turns of one role (0.44+). Images belong to the
 * result before them. So does text up to 0.27, if the result itself only says that the tool has succeeded; since 0.28 a tool's text is in
 * its output.
 */
export function splitToolTurn(parts: readonly unknown[]): ToolTurn {
  const answers: unknown[][] = []
  const rest: unknown[] = []
  let current: unknown[] | null = null
  for (const part of parts) {
    if (isResponse(part)) {
      current = [part]
      answers.push(current)
    } else if (current !== null && (isMedia(part) || isToolText(part, current))) current.push(part)
    else {
      rest.push(part)
      // An image after text from someone is part of it.
      if (isText(part)) current = null
    }
  }
  const [first, ...others] = answers
  if (first === undefined || others.length > 0) return { answers, rest }
  const media = rest.filter((part) => isMedia(part) && parts.indexOf(part) < parts.indexOf(first[0]))
  first.push(...media)
  return { answers, rest: rest.filter((part) => !media.includes(part)) }
}

function isResponse(part: unknown): boolean {
  return isRawObject(part) && isRawObject(part.functionResponse)
}

function isMedia(part: unknown): boolean {
  return isRawObject(part) && (isRawObject(part.inlineData) || isRawObject(part.fileData))
}

function isText(part: unknown): part is RawObject & { text: string } {
  return isRawObject(part) && typeof part.text === 'string'
}

function isToolText(part: unknown, [answer]: readonly unknown[]): boolean {
  if (!isText(part) || !isRawObject(answer) || !isRawObject(answer.functionResponse)) return false
  const { response } = answer.functionResponse
  return isRawObject(response) && response.output === 'Tool execution succeeded.'
}

/** `functionCall` parts of a message (0.44+) that are not recorded in its `toolCalls`; those without id are matched by name and count. */
export function unrecordedCalls({ content, toolCalls }: LogEntry): RawObject[] {
  if (typeof content === 'string') return []
  const recorded = toCallRows(toolCalls)
  const ids = new Set(recorded.map((call) => call.id))
  const countOfName = new Map<unknown, number>()
  for (const { name } of recorded) countOfName.set(name, (countOfName.get(name) ?? 0) + 1)
  return flattenContent(content).flatMap((part) => {
    if (!isRawObject(part) || !isRawObject(part.functionCall)) return []
    const call = part.functionCall
    if (typeof call.id === 'string' && call.id !== '') return ids.has(call.id) ? [] : [call]
    const left = countOfName.get(call.name) ?? 0
    countOfName.set(call.name, left - 1)
    return left > 0 ? [] : [call]
  })
}

/** What lifting one message needs to know of the whole file. */
export interface LiftContext {
  path: string
  /** All `user` texts of a sub-agent's file are from the CLI or the parent model. */
  isSubagentFile: boolean
  rest: RestOfLog
  problems: Problems
}

/** Up to 0.27 a result with more than one part was sent as a text of this form, name by name. */
const MARKER = /\[Function Response: ([^\]\n]{1,200})\]/g
const PLACEHOLDER = /^<[\w.+-]+\/[\w.+-]+>$/

/**
 * Removes from such texts what the calls before them show: each result is displayed once, with its call. What no call has stays (0.4 to 0.8
 * recorded no calls at all). `messages` are in recorded order.
 */
export function settleFlatResults(messages: readonly Message[]): void {
  let calls: ToolCall[] = []
  for (const message of messages) {
    if (message.origin === 'model') calls.push(...message.toolCalls)
    else if (message.origin === 'human') calls = []
    else if (message.origin === 'tool-result' && calls.length > 0) settle(message, calls)
  }
}

function settle(message: Message, calls: readonly ToolCall[]): void {
  const [part, ...others] = message.content
  if (part?.kind !== 'text' || others.length > 0 || !part.text.startsWith('[Function Response: ')) return
  const left = splitByName(part.text).filter(({ name, text }) => !isShown(text, ofName(calls, name)))
  message.content = left.length === 0 ? [] : [{ kind: 'text', text: left.map(({ whole }) => whole).join('') }]
}

function splitByName(flat: string): { name: string; text: string; whole: string }[] {
  const markers = [...flat.matchAll(MARKER)]
  return markers.map((marker, index) => {
    const whole = flat.slice(marker.index, markers[index + 1]?.index)
    return { name: marker[1] ?? '', text: whole.slice(marker[0].length).trim(), whole }
  })
}

function ofName(calls: readonly ToolCall[], name: string): ToolCall[] {
  return calls.filter((call) => call.name === name)
}

/** A call with that name has the text; a call without any gets it. */
function isShown(text: string, calls: readonly ToolCall[]): boolean {
  if (calls.length === 0) return false
  if (text === '' || PLACEHOLDER.test(text)) return true
  if (calls.some((call) => textsOf(call).some((known) => known.includes(text)))) return true
  const bare = calls.findLast((call) => textsOf(call).every((known) => known === '' || known === NO_MORE))
  if (bare === undefined) return false
  bare.extraParts = [...bare.extraParts, { kind: 'text', text }]
  return true
}

const NO_MORE = 'Tool execution succeeded.'

function textsOf({ output, extraParts }: ToolCall): string[] {
  const beside = extraParts.map((part) => (part.kind === 'text' ? part.text : ''))
  return ['text' in output ? output.text : '', beside.join('')]
}
