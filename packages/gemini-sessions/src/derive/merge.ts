import type { Message, Segment, ToolCall, ToolOutput } from '../model/message.ts'
import { isFailedCall } from '../parse/lift/calls.ts'
import { readSessionPath, type StitchFile, sortByCurrency } from './files.ts'
import {
  earliestTime,
  isConversationMessage,
  isRecordedAgain,
  lastMessageTime,
  messageText,
} from './messages.ts'

const MASK = /^\s*<tool_output_masked/

interface MergedFiles {
  /** The file whose live list applies. */
  current: StitchFile
  /** Every message recorded in any of the files, once, in display order; keys as in the files. */
  messages: Message[]
  /** How many messages at the start, part of the conversation, are only in an older file. */
  olderStart: number
  /** By file other than the current one: keys of the messages that no newer file contains completely. */
  own: ReadonlyMap<StitchFile, readonly string[]>
}

/** Merges files of one conversation (contract rules 2 and 3): the current file's list, completed from the others. */
export function mergeFiles(files: readonly StitchFile[]): MergedFiles | null {
  const [current, ...others] = sortByCurrency(files)
  if (current === undefined) return null
  const { knownIds, messages: newest } = current.parsed
  const merged = new Map(newest.map((message) => [identity(message), message]))
  const own = new Map(others.map((file) => [file, [] as string[]]))
  const older = [...own].flatMap(([other, keys]) => mergeInto(merged, other, knownIds, keys))
  if (others.length > 0) drawCopies(merged)
  const messages = insertOlder(newest.map(toNamedTime), older).flatMap((name) => merged.get(name) ?? [])
  return { current, messages, olderStart: countOlderStart(messages, newest), own }
}

/** Completes the known messages, and adds to `own` those of which this file contains more. Returns those that no newer file has. */
function mergeInto(
  merged: Map<string, Message>,
  { parsed: { messages }, kept }: StitchFile,
  knownIds: ReadonlySet<string>,
  own: string[],
): OlderMessage[] {
  // the CLI cannot continue overwritten content: it stays in its position
  const isOverwritten = kept?.cause === 'overwritten'
  const older: OlderMessage[] = []
  let predecessor: string | null = null
  for (const message of messages) {
    const name = identity(message)
    const known = merged.get(name)
    const counted = known === undefined ? countedRecord(merged, message) : null
    if (known !== undefined) {
      const filled = mergeMessage(known, message)
      if (!isSame(filled, known) || !isCoveredBy(filled, message)) own.push(known.key)
      merged.set(name, filled)
    } else {
      own.push(message.key)
      if (counted !== null) merged.set(identity(counted), mergeMessage(counted, message))
      const isKnown = message.id !== '' && knownIds.has(message.id)
      const wasDropped = message.superseded === null && (isKnown || isOverwritten)
      const kept: Message = wasDropped ? { ...message, superseded: 'replaced' } : message
      merged.set(name, counted === null ? kept : { ...kept, copyOf: counted.key, usage: null, toolCalls: [] })
      const { timeMs } = toNamedTime(kept)
      const isPlacedByTime = kept.superseded === null && !Number.isNaN(timeMs)
      older.push({ name, timeMs, isPlacedByTime, predecessor })
    }
    predecessor = name
  }
  return older
}

/** Parts that a merge did not touch are the same objects, so few texts are compared. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b || typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const [ofA, ofB] = [Object.entries(a), Object.entries(b)]
  return ofA.length === ofB.length && ofA.every(([name, value]) => isSame(value, Reflect.get(b, name)))
}

/** Whether the merged message contains everything in this record, even if the newer one differs. */
function isCoveredBy(merged: Message, message: Message): boolean {
  if (!messageText(merged).includes(messageText(message))) return false
  if (merged.copyOf !== null) return true // its original has the rest
  if (message.thoughts.length > merged.thoughts.length) return false
  return message.toolCalls.every(({ id, output }) => {
    const call = merged.toolCalls.find((each) => each.id === id)
    return call !== undefined && (isPoor(output) || isSame(call.output, output))
  })
}

/** An answer that an older document recorded several times, and the newer file once: the newer record counts. */
function countedRecord(
  merged: ReadonlyMap<string, Message>,
  { id, key, origin, copyOf }: Message,
): Message | null {
  if (origin !== 'model' || id === '' || key === id || copyOf !== null) return null
  const record = merged.get(id)
  return record === undefined || record.origin !== 'model' || record.copyOf !== null ? null : record
}

/** A copy shows the content of its original, which may have been completed. */
function drawCopies(merged: Map<string, Message>): void {
  for (const [name, copy] of merged) {
    const original = copy.copyOf === null ? undefined : merged.get(copy.copyOf)
    if (original === undefined || isRecordedAgain(copy)) continue
    const { thoughts, toolCalls, model } = original
    merged.set(name, { ...copy, thoughts, toolCalls, model })
  }
}

function toNamedTime(message: Message): NamedTime {
  return { name: identity(message), timeMs: Date.parse(message.timestamp ?? '') }
}

function countOlderStart(messages: readonly Message[], own: readonly Message[]): number {
  const ownIdentities = new Set(own.map(identity))
  const talk = messages.filter(isConversationMessage)
  const firstOwn = talk.find((message) => ownIdentities.has(identity(message)))
  return firstOwn === undefined || firstOwn === talk[0] ? 0 : messages.indexOf(firstOwn)
}

/** Equal for the same message in two files. A message without an id is the same only with the same text. */
function identity(message: Message): string {
  return message.id === '' ? `${message.key}\n${message.type}\n${messageText(message)}` : message.key
}

/**
 * Merges one message from two files. `newer` wins; what it lacks (a resume drops no field on purpose, but masks long outputs and leaves out
 * tokens) comes from `older` (contract rule 3). Position and `superseded` come only from `newer`.
 */
function mergeMessage(newer: Message, older: Message): Message {
  // After a resume in a separate file, a copy looks like any message: only the older log marks it as one.
  const copyOf = newer.copyOf ?? (isRecordedAgain(older) ? null : older.copyOf)
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
  const answered = isUnanswered ? older : newer
  const exitCode = newer.exitCode ?? older.exitCode
  return {
    ...answered,
    exitCode,
    failed: isFailedCall(answered.status, exitCode),
    output: isPoor(newer.output) && older.output.kind !== 'empty' ? older.output : newer.output,
    display: isPoorDisplay(newer.display) ? (older.display ?? newer.display) : newer.display,
    extraParts: newer.extraParts.length > 0 ? newer.extraParts : older.extraParts,
    agentId: newer.agentId ?? older.agentId,
  }
}

/** Empty, or the placeholder that the CLI writes over long outputs (`<tool_output_masked>`, 0.29+). */
function isPoor(output: ToolOutput): boolean {
  return output.kind === 'empty' || ('text' in output && MASK.test(output.text))
}

/** A stored diff has the previous content; one rebuilt from the arguments does not. */
function isPoorDisplay(display: ToolOutput | null): boolean {
  return display === null || isPoor(display) || (display.kind === 'diff' && display.isRebuilt)
}

/** A message by its name in the merge, and its time (epoch milliseconds, NaN if unknown). */
interface NamedTime {
  name: string
  timeMs: number
}

/** A message that is not in the current file. */
interface OlderMessage extends NamedTime {
  /** Live messages are placed by time, superseded ones and those without a time after their predecessor. */
  isPlacedByTime: boolean
  /** The previous message in its own file; null for the first. */
  predecessor: string | null
}

/** The names of all messages in display order (contract rule 2), for any number of older ones. */
function insertOlder(current: readonly NamedTime[], older: readonly OlderMessage[]): string[] {
  const indexAt = lastIndexAtOrBefore(current.map(({ timeMs }) => timeMs))
  const byIndex = new Map<number, NamedTime[]>()
  const followers = new Map<string | null, string[]>()
  for (const message of older) {
    if (message.isPlacedByTime) addTo(byIndex, indexAt(message.timeMs), message)
    else addTo(followers, message.predecessor, message.name)
  }
  const names: string[] = []
  const pushWithFollowers = (name: string | null) => {
    const open = [name]
    while (open.length > 0) {
      const next = open.pop() ?? null
      if (next !== null) names.push(next)
      open.push(...(followers.get(next) ?? []).toReversed())
    }
  }
  const pushPlacedAt = (index: number) => {
    const placed = (byIndex.get(index) ?? []).sort((a, b) => a.timeMs - b.timeMs)
    for (const { name } of placed) pushWithFollowers(name)
  }
  pushWithFollowers(null)
  pushPlacedAt(-1)
  for (const [index, { name }] of current.entries()) {
    pushWithFollowers(name)
    pushPlacedAt(index)
  }
  return names
}

/** Times are not monotonic: finds the last index whose time is not later, or -1, using the earliest time from each index on. */
function lastIndexAtOrBefore(timesMs: readonly number[]): (timeMs: number) => number {
  const earliestFrom = new Array<number>(timesMs.length)
  let earliest = Number.POSITIVE_INFINITY
  for (let index = timesMs.length - 1; index >= 0; index -= 1) {
    const timeMs = timesMs[index] ?? Number.NaN
    if (timeMs < earliest) earliest = timeMs
    earliestFrom[index] = earliest
  }
  return (timeMs) => {
    let low = 0
    let high = timesMs.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((earliestFrom[middle] ?? Number.POSITIVE_INFINITY) <= timeMs) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/**
 * Sets of files with one conversation: twins, copies and resumes. They share a message by the user or the model, or are copies of one file:
 * the same name and the same recorded start. Injected messages prove nothing: the session context has the same id in every session of every
 * project.
 */
export function joinFiles(files: readonly StitchFile[]): StitchFile[][] {
  const parents = files.map((_, index) => index)
  const rootOf = (index: number): number => {
    let root = index
    while (parents[root] !== undefined && parents[root] !== root) root = parents[root] ?? root
    // Path compression, so that thousands of files with one id cost no more than their messages.
    for (let at = index; at !== root; ) {
      const next = parents[at] ?? root
      parents[at] = root
      at = next
    }
    return root
  }
  const firstWith = new Map<string, number>()
  for (const [index, file] of files.entries()) {
    for (const proof of proofsOf(file)) {
      const other = firstWith.get(proof)
      if (other === undefined) firstWith.set(proof, index)
      else parents[rootOf(index)] = rootOf(other)
    }
  }
  const sets = new Map<number, StitchFile[]>()
  for (const [index, file] of files.entries()) {
    const root = rootOf(index)
    const set = sets.get(root)
    if (set) set.push(file)
    else sets.set(root, [file])
  }
  return [...sets.values()]
}

/** Two files with one of these in common have the same conversation. */
function proofsOf({ parsed }: StitchFile): string[] {
  const proofs = parsed.messages.filter(isConversationMessage).flatMap(proofOfMessage)
  const { firstStartTime } = parsed.header
  if (firstStartTime !== null) proofs.push(`file\n${readSessionPath(parsed.path).stem}\n${firstStartTime}`)
  return proofs
}

/** Without an id (other tools, damaged files), the same text at the same millisecond. */
function proofOfMessage(message: Message): string[] {
  if (message.id !== '') return [`id\n${message.id}`]
  const text = messageText(message)
  return message.timestamp === null || text === ''
    ? []
    : [`text\n${message.timestamp}\n${message.type}\n${text}`]
}

export interface PlacedMessages {
  messages: Message[]
  segments: Segment[]
  /** Per part: key in the file -> key in the session. */
  keys: ReadonlyMap<string, string>[]
}

/** Concatenates the parts of a session, with keys that are unique in the session (contract rule 6). */
export function placeMessages(parts: readonly SessionPart[]): PlacedMessages {
  const taken = new Set<string>()
  const messages: Message[] = []
  const segments: Segment[] = []
  const keys: ReadonlyMap<string, string>[] = []
  for (const [index, part] of parts.entries()) {
    const placed = renameKeys(part.messages, taken)
    keys.push(placed.renamed)
    segments.push({
      index,
      reason: part.reason,
      file: part.file,
      firstOffset: messages.length,
      messages: placed.messages.length,
      startTime: earliestTime(placed.messages.map((message) => message.timestamp)),
      endTime: lastMessageTime(placed.messages),
    })
    for (const message of placed.messages) messages.push({ ...message, segment: index })
  }
  return { messages, segments, keys }
}

function renameKeys(messages: readonly Message[], taken: Set<string>) {
  const renamed = new Map<string, string>()
  const withKeys = messages.map((message) => {
    const key = freeKey(message, taken)
    taken.add(key)
    renamed.set(message.key, key)
    return { ...message, key }
  })
  const withCopies = withKeys.map((message) =>
    message.copyOf === null ? message : { ...message, copyOf: renamed.get(message.copyOf) ?? message.copyOf },
  )
  return { messages: withCopies, renamed }
}

function freeKey({ key, id }: Message, taken: ReadonlySet<string>): string {
  if (!taken.has(key)) return key
  let number = 2
  while (taken.has(`${id}~${number}`)) number++
  return `${id}~${number}`
}

/** One segment of a session under construction. */
export interface SessionPart {
  reason: Segment['reason']
  /** Path of its file, relative to the Gemini folder. */
  file: string
  /** The file that determines the live list here. */
  current: StitchFile
  messages: Message[]
  /** `MergedFiles.own` */
  own: MergedFiles['own']
}
