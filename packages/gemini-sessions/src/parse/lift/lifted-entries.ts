import type { Message } from '../../model/message.ts'
import { OTHER_NAMES } from '../../model/parse-issue.ts'
import { Problems } from '../problems/problems.ts'
import type { LogEntry } from '../row/log-entry.ts'
import type { LiftContext } from './responses/lift-context.ts'
import type { RestOfLog } from './responses/rest-of-log.ts'
import { type EntryToLift, toMessage } from './to-message.ts'

/** What was asked of the rest of the log, and what it answered. */
interface Question {
  name: keyof RestOfLog
  about: unknown
  answer: unknown
}

interface Lifted {
  /** As it was. */
  entry: LogEntry
  isSubagentFile: boolean
  questions: readonly Question[]
  message: Message
  /** null: none. */
  problems: Problems | null
}

/**
 * The messages of a log that grows, as they were lifted last. One whose entry holds what it held, and of which the rest
 * of the log says what it said, is not lifted again: a line more costs little more than that line, however long the log.
 */
export class LiftedEntries {
  readonly #lifted = new Map<LogEntry, Lifted>()

  /** The caller may change the message and its calls, but nothing within. */
  toMessage(lift: EntryToLift, context: LiftContext): Message {
    const { entry, key, superseded } = lift
    const known = this.#lifted.get(entry)
    if (known === undefined || !holds(known, entry, context)) return this.#liftAnew(lift, context)
    if (known.problems !== null) context.problems.addAll(known.problems)
    return { ...withOwnCalls(known.message), key, superseded }
  }

  #liftAnew(lift: EntryToLift, context: LiftContext): Message {
    const { entry } = lift
    const questions: Question[] = []
    const problems = new Problems()
    const rest = noting(context.rest, questions)
    const message = toMessage(lift, { ...context, rest, problems })
    if (isCounted(problems)) {
      this.#lifted.delete(entry)
      return toMessage(lift, context)
    }
    context.problems.addAll(problems)
    this.#lifted.set(entry, {
      entry: { ...entry },
      isSubagentFile: context.isSubagentFile,
      questions,
      message: withOwnCalls(message),
      problems: problems.issues.length + problems.drift.length === 0 ? null : problems,
    })
    return message
  }
}

function holds(known: Lifted, entry: LogEntry, { isSubagentFile, rest }: LiftContext): boolean {
  return (
    known.isSubagentFile === isSubagentFile &&
    isSameEntry(known.entry, entry) &&
    known.questions.every(({ name, about, answer }) => isSameAnswer(rest[name](about), answer))
  )
}

/** Rows are replaced, never changed. */
function isSameEntry(before: LogEntry, now: LogEntry): boolean {
  for (const name in before) {
    if (before[name as keyof LogEntry] !== now[name as keyof LogEntry]) return false
  }
  return true
}

/** Lists of parts are made anew for each question. */
function isSameAnswer(a: unknown, b: unknown): boolean {
  if (a === b) return true
  return (
    Array.isArray(a) &&
    Array.isArray(b) &&
    a.length === b.length &&
    a.every((part, index) => part === b[index])
  )
}

function noting(rest: RestOfLog, questions: Question[]): RestOfLog {
  const note = <Answer>(name: keyof RestOfLog, about: unknown, answer: Answer): Answer => {
    questions.push({ name, about, answer })
    return answer
  }
  return {
    isCallId: (id) => note('isCallId', id, rest.isCallId(id)),
    resultOf: (callId) => note('resultOf', callId, rest.resultOf(callId)),
    resultOfCall: (call) => note('resultOfCall', call, rest.resultOfCall(call)),
    isOrphan: (part) => note('isOrphan', part, rest.isOrphan(part)),
    isRepeated: (description) => note('isRepeated', description, rest.isRepeated(description)),
  }
}

/** What is settled between messages changes them and their calls. */
function withOwnCalls(message: Message): Message {
  return { ...message, toolCalls: message.toolCalls.map((call) => ({ ...call })) }
}

/** So many that some are only counted: which, depends on what the messages before it had. */
function isCounted({ issues, drift }: Problems): boolean {
  return issues.some(({ count }) => count !== undefined) || drift.some(({ name }) => name === OTHER_NAMES)
}
