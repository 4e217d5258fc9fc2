import type { Message } from '../../model/message.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import type { ToolOutput } from '../../model/tool-output.ts'
import { isFailedCall } from '../../parse/lift/calls/call-outcome.ts'
import { sortByCurrency } from '../files/sort-by-currency.ts'
import type { StitchFile } from '../files/stitch-file.ts'
import { isConversationMessage, isRecordedAgain } from '../messages/message-kinds.ts'
import { messageText } from '../messages/message-text.ts'

const MASK = /^\s*<tool_output_masked/

export interface MergedFiles {
  /** The file whose live list stands. */
  current: StitchFile
  /** Every message that any of the files recorded, once, in drawn order; keys as in the files. */
  messages: Message[]
  /** How many messages at the start, a part of the talk, only an older file holds. */
  olderStart: number
}

/** Merges files of one conversation (contract rules 2 and 3): the current file's list, filled up from the others. */
export function mergeFiles(files: readonly StitchFile[]): MergedFiles | null {
  const [current, ...others] = sortByCurrency(files)
  if (current === undefined) return null
  const { knownIds, messages: own } = current.parsed
  const merged = new Map(own.map((message) => [identity(message), message]))
  const older = others.flatMap((other) => mergeInto(merged, other, knownIds))
  if (others.length > 0) drawCopies(merged)
  const messages = insertOlder(own.map(toNamedTime), older).flatMap((name) => merged.get(name) ?? [])
  return { current, messages, olderStart: countOlderStart(messages, own) }
}

/** Fills up what is known of each message. Returns those that no newer file holds. */
function mergeInto(
  merged: Map<string, Message>,
  { parsed: { messages }, kept }: StitchFile,
  knownIds: ReadonlySet<string>,
): OlderMessage[] {
  // what was overwritten the CLI cannot go on with: it stands where it stood
  const isOverwritten = kept?.cause === 'overwritten'
  const older: OlderMessage[] = []
  let predecessor: string | null = null
  for (const message of messages) {
    const name = identity(message)
    const known = merged.get(name)
    const counted = known === undefined ? countedRecord(merged, message) : null
    if (known !== undefined) merged.set(name, mergeMessage(known, message))
    else {
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

/** An answer that an older document recorded several times, and the newer file once: the newer record is the one that counts. */
function countedRecord(
  merged: ReadonlyMap<string, Message>,
  { id, key, origin, copyOf }: Message,
): Message | null {
  if (origin !== 'model' || id === '' || key === id || copyOf !== null) return null
  const record = merged.get(id)
  return record === undefined || record.origin !== 'model' || record.copyOf !== null ? null : record
}

/** What a copy shows is its original's, and that may have become richer. */
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

/** Equal for the same message in two files. A message without an id is itself only if it also says the same. */
function identity(message: Message): string {
  return message.id === '' ? `${message.key}\n${message.type}\n${messageText(message)}` : message.key
}

/**
 * One message as two files tell it. `newer` decides; what it lacks (a resume drops no field on purpose, but masks
 * long outputs and leaves out tokens) comes from `older` (contract rule 3). Place and fate are `newer`'s alone.
 */
function mergeMessage(newer: Message, older: Message): Message {
  // After a resume in a file of its own a copy stands there like any message: that it is one, only the older log tells.
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

/** A message by its name in the merge, and when it was said (epoch milliseconds, NaN if unknown). */
interface NamedTime {
  name: string
  timeMs: number
}

/** A message that the current file does not hold. */
interface OlderMessage extends NamedTime {
  /** Live ones go where their time says, superseded ones and those without a time behind their predecessor. */
  isPlacedByTime: boolean
  /** The message before it in its own file; null for the first. */
  predecessor: string | null
}

/** The names of all messages in the order in which they are drawn (contract rule 2), whatever the number of older ones. */
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

/** Times are not monotonic: the last index whose time is not later, or -1, is found over the earliest time from each index on. */
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
