import type { CallFate, FailureFate, FateCounts } from '../../model/failure-fate.ts'
import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import { hasRunToItsEnd } from '../../parse/lift/calls/call-outcome.ts'
import { isDamagedSession } from '../messages/is-damaged-session.ts'
import { RecordedCalls } from '../messages/recorded-calls.ts'
import { isCommand, rootOfCalls, runSubject } from './run-subject.ts'

/** A call that succeeded or failed, and that nobody rewound. */
export interface Run {
  message: Message
  call: ToolCall
  /** Position among the calls of its message. */
  index: number
}

/** Every run of one command in one folder, or of one tool on one file or query, in reading order. */
export type RunSeries = readonly Run[]

/** A failed run, and what became of it. Here alone is decided what that is. */
export interface FailedRun {
  run: Run
  series: RunSeries
  kind: FailureFate
  /** The last run before it that succeeded. */
  worked: Run | null
  /** The first run after it that succeeded. */
  succeeded: Run | null
}

/** What is needed of a session to know its runs; none of its large texts. */
export type RecordOfRuns = Pick<Session, 'messages' | 'files' | 'drawnKeys' | 'projectHash' | 'directories'>

/**
 * All runs of a session, by what was run; what ran last comes last. What was declined, cancelled or only started is no run, nor is a copy of one. The
 * runs of a sub-agent in its parent's file are series of their own.
 */
export function findRuns(session: RecordOfRuns): RunSeries[] {
  // A damaged file may repeat what a whole one holds, and its figures are 0 (contract rule 7).
  if (isDamagedSession(session)) return []
  const root = rootOfCalls(session)
  const stands = standingCalls(session)
  const recorded = new RecordedCalls()
  const series = new Map<string, Run[]>()
  for (const message of session.messages) {
    for (const call of recorded.newIn(message)) {
      const run = { message, call, index: message.toolCalls.indexOf(call) }
      if (!isRun(call) || !stands(run)) continue
      const key = `${message.agentKey ?? ''}\n${runSubject(call, root)}`
      const runs = series.get(key) ?? []
      runs.push(run)
      // moved to the end
      series.delete(key)
      series.set(key, runs)
    }
  }
  return [...series.values()]
}

/**
 * The failed calls of a session that nobody rewound, in reading order, with their fates: later succeeded if a later run of
 * the same succeeded; else never rerun if it is the only run, and still failing if there are others.
 */
export function failedRuns(session: RecordOfRuns): FailedRun[] {
  if (!session.messages.some(({ toolCalls }) => toolCalls.some(({ failed }) => failed))) return []
  const places = new Map(session.messages.map((message, place) => [message, place]))
  const placeOf = ({ run: { message } }: FailedRun) => places.get(message) ?? 0
  return findRuns(session)
    .flatMap(judgeSeries)
    .sort((a, b) => placeOf(a) - placeOf(b) || a.run.index - b.run.index)
}

function judgeSeries(series: RunSeries): FailedRun[] {
  const found: FailedRun[] = []
  let worked: Run | null = null
  let open: FailedRun[] = []
  for (const run of series) {
    if (run.call.failed) {
      const kind = series.length === 1 ? 'neverRerun' : 'stillFailing'
      open.push({ run, series, kind, worked, succeeded: null })
    } else {
      found.push(...open.map((each): FailedRun => ({ ...each, kind: 'laterSucceeded', succeeded: run })))
      open = []
      worked = run
    }
  }
  return [...found, ...open]
}

/** How many of these have which fate. */
export function countFates(failed: readonly FailedRun[]): FateCounts {
  const counts: FateCounts = { laterSucceeded: 0, stillFailing: 0, neverRerun: 0 }
  for (const { kind } of failed) counts[kind] += 1
  return counts
}

/** The same messages, with `fate` set on the failed calls of the session, also where a copy draws one a second time. */
export function linkFates(messages: readonly Message[], session: RecordOfRuns): Message[] {
  const fates = new Map(failedRuns(session).map((failed) => [nameOf(failed.run), toFate(failed)]))
  if (fates.size === 0) return [...messages]
  return messages.map((message) => {
    if (!message.toolCalls.some(({ failed }) => failed)) return message
    const toolCalls = message.toolCalls.map((call, index) => {
      const fate = call.failed ? fates.get(nameOf({ message, call, index })) : undefined
      return fate === undefined ? call : { ...call, fate }
    })
    return { ...message, toolCalls }
  })
}

function toFate({ kind, worked, succeeded }: FailedRun): CallFate {
  return { kind, worked: worked && placeOfRun(worked), succeeded: succeeded && placeOfRun(succeeded) }
}

function placeOfRun({ message, call }: Run) {
  return { messageKey: message.key, timestamp: call.timestamp ?? message.timestamp }
}

/** One name for a call and its copies. */
function nameOf({ message, call, index }: Run): string {
  return call.id === '' ? `${message.copyOf ?? message.key}\n${index}` : call.id
}

function isRun(call: ToolCall): boolean {
  return call.failed || (call.status === 'success' && (!isCommand(call) || hasRunToItsEnd(call)))
}

/**
 * Whether a call is part of what happened. One that a person rewound is not, unless it is recorded again where nobody did,
 * as a rewrite of the list of messages does. What was compressed, or dropped after an abort, has happened.
 */
function standingCalls({ messages, drawnKeys }: RecordOfRuns): (run: Run) => boolean {
  const drawn = new Set(drawnKeys)
  const isGone = ({ superseded, key }: Message) =>
    (superseded === 'rewound' || superseded === 'replaced') && !drawn.has(key)
  if (!messages.some(isGone)) return () => true
  const standing = new Set<string>()
  for (const message of messages) {
    if (isGone(message)) continue
    for (const [index, call] of message.toolCalls.entries()) standing.add(nameOf({ message, call, index }))
  }
  return (run) => standing.has(nameOf(run))
}
