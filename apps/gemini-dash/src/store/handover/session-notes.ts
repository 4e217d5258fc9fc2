import {
  callLine,
  EditStory,
  type FailureFate,
  failedRuns,
  findFailures,
  findRuns,
  isCommand,
  isPrompt,
  type Message,
  messageText,
  type Session,
  type SessionEdits,
  type ToolCall,
} from 'gemini-sessions'

/** A prompt and what came of it. */
export interface Exchange {
  timestamp: string | null
  asked: string
  /** The last text of the answer. */
  answered: string
  calls: ToolCall[]
  /** false: answer and calls were let go, as so many came later. */
  isHeld: boolean
}

/** A command, or a tool on one file or query, whose last run failed. */
export interface OpenRuns {
  /** That run, with all that it said. */
  call: ToolCall
  timestamp: string | null
  fate: Exclude<FailureFate, 'laterSucceeded'>
  failures: number
  runs: number
}

/** A command whose last run succeeded. */
interface WorkedRuns {
  call: ToolCall
  successes: number
}

/** What a hand-over is made of, in the order of the record. */
export interface SessionNotes {
  exchanges: Exchange[]
  /** By their last run, the latest last. */
  open: OpenRuns[]
  worked: WorkedRuns[]
  /** Of the last prompt, where its request failed; '' where no reason is recorded. */
  noAnswer: string | null
  edits: SessionEdits
}

/** Of any one text no more is held, so that a long session stays small in memory. */
const MAX_TEXT = 64 * 1024
/** Answers and calls of exchanges before the last so many are let go. */
const HELD_EXCHANGES = 500

/** Looks through a session, whose messages are handed over in reading order with all their texts. */
export class NoteTaker {
  readonly #session: Session
  readonly #isLive: boolean
  readonly #edits: EditStory
  readonly #drawn: ReadonlySet<string> | null
  readonly #exchanges: Exchange[] = []
  /** The last failed run of all that is open, by message and place: these alone need all that they said. */
  readonly #open: Map<string, OpenRuns>
  readonly #callIds = new Set<string>()

  constructor(session: Session, { root, isLive }: { root: string | null; isLive: boolean }) {
    this.#session = session
    this.#isLive = isLive
    this.#edits = new EditStory(root)
    this.#open = openRuns(session)
    const { buried, drawnKeys } = session
    this.#drawn = buried && drawnKeys !== null && drawnKeys.length > 0 ? new Set(drawnKeys) : null
  }

  add(messages: readonly Message[]): void {
    this.#edits.add(messages)
    for (const message of messages) {
      for (const [index, call] of message.toolCalls.entries()) {
        const open = this.#open.get(placeOf(message.key, index))
        if (open !== undefined) open.call = call
      }
      if (this.#isKept(message)) this.#note(message)
    }
  }

  finish(): SessionNotes {
    return {
      exchanges: this.#exchanges,
      open: [...this.#open.values()],
      worked: workedRuns(this.#session),
      noAnswer: this.#noAnswer(),
      edits: this.#edits.finish(),
    }
  }

  /** What nobody took back. Of a buried session, its last conversation. */
  #isKept({ key, copyOf, superseded }: Message): boolean {
    if (copyOf !== null) return false
    if (this.#drawn !== null) return this.#drawn.has(key)
    return superseded !== 'rewound' && superseded !== 'replaced'
  }

  #note(message: Message): void {
    if (this.#isAsked(message)) this.#begin(message)
    const { origin, toolCalls, timestamp } = message
    if (origin !== 'model') return
    if (this.#exchanges.length === 0 && (messageText(message) !== '' || toolCalls.length > 0))
      this.#exchanges.push({ timestamp, asked: '', answered: '', calls: [], isHeld: true })
    const exchange = this.#exchanges.at(-1)
    const text = held(messageText(message))
    if (exchange !== undefined && text.trim() !== '') exchange.answered = text
    for (const call of toolCalls) {
      if (call.id !== '' && this.#callIds.has(call.id)) continue
      this.#callIds.add(call.id)
      exchange?.calls.push(call)
    }
  }

  #isAsked(message: Message): boolean {
    if (this.#session.kind !== 'subagent') return isPrompt(message)
    return message.type === 'user' && message.origin !== 'tool-result'
  }

  #begin(message: Message): void {
    const asked = held(messageText(message).replace(CONTEXT, '')).trim()
    if (asked === '' && message.content.length === 0) return
    this.#exchanges.push({ timestamp: message.timestamp, asked, answered: '', calls: [], isHeld: true })
    const old = this.#exchanges.at(-1 - HELD_EXCHANGES)
    if (old !== undefined) Object.assign(old, { answered: '', calls: [], isHeld: false })
  }

  #noAnswer(): string | null {
    const prompts = this.#session.messages.filter((message) => isPrompt(message) && this.#isKept(message))
    const last = prompts.at(-1)
    const failed = findFailures(this.#session).turns.find(({ prompt }) => prompt.key === last?.key)
    if (failed === undefined || (failed.refusal === null && this.#isLive)) return null
    return failed.refusal === null ? '' : messageText(failed.refusal)
  }
}

/** What the CLI tells a sub-agent before its task. */
const CONTEXT = /^\s*<session_context>[\s\S]*?<\/session_context>/

function openRuns(session: Session): Map<string, OpenRuns> {
  const open = new Map<string, OpenRuns>()
  for (const { run, series, kind } of failedRuns(session)) {
    if (kind === 'laterSucceeded' || run !== series.at(-1)) continue
    const { message, call, index } = run
    open.set(placeOf(message.key, index), {
      call,
      timestamp: call.timestamp ?? message.timestamp,
      fate: kind,
      failures: series.filter((each) => each.call.failed).length,
      runs: series.length,
    })
  }
  return open
}

function workedRuns(session: Session): WorkedRuns[] {
  return findRuns(session).flatMap((series): WorkedRuns[] => {
    const call = series.at(-1)?.call
    if (call === undefined || call.failed || !isCommand(call)) return []
    return [{ call, successes: series.filter((run) => !run.call.failed).length }]
  })
}

function placeOf(messageKey: string, index: number): string {
  return `${messageKey}\n${index}`
}

/** What a call is about: an edit that failed and went well with other words is one attempt after the other. */
export function subjectOf(call: ToolCall): string {
  const { args } = call
  if (typeof args === 'object' && args !== null) {
    for (const name of ['file_path', 'absolute_path']) {
      const path: unknown = Reflect.get(args, name)
      if (typeof path === 'string') return path
    }
  }
  return callLine(call)
}

function held(text: string): string {
  return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text
}
