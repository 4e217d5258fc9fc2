import { askedQuestions } from '@gemini-dash/api/asked-questions'
import {
  callLine,
  EditStory,
  type FailureFate,
  failedRuns,
  findRuns,
  isCommand,
  isPrompt,
  type Message,
  messageText,
  type Session,
  type SessionEdit,
  type ToolCall,
  type Verdict,
} from 'gemini-sessions'

/** A prompt and its answer. */
export interface Exchange {
  timestamp: string | null
  asked: string
  /** The last text of the answer. */
  answered: string
  calls: ToolCall[]
  /** false: answer and calls were dropped because many exchanges followed. */
  isHeld: boolean
}

/** A command, or a tool on one file or query, whose last run failed. */
export interface OpenRuns {
  /** The failed run, with its full output. */
  call: ToolCall
  timestamp: string | null
  fate: Exclude<FailureFate, 'laterSucceeded'>
  failures: number
  runs: number
  /** A later successful command that is a prefix of this one, as `npm test` after `npm test -- cart`; null: none. */
  broader: { command: string; timestamp: string | null } | null
}

/** A question of the model that the person answered. */
interface PersonAnswer {
  question: string
  answer: string
  timestamp: string | null
}

/** What the model was told to remember for later sessions. */
interface Memory {
  fact: string
  timestamp: string | null
}

/** A command whose last run succeeded. */
interface WorkedRuns {
  call: ToolCall
  successes: number
}

/** What a brief is made of, in recorded order. */
export interface SessionNotes {
  exchanges: Exchange[]
  /** In the order of their last run. */
  open: OpenRuns[]
  worked: WorkedRuns[]
  answers: PersonAnswer[]
  /** The final state of the last task list. */
  tasks: { description: string; status: string }[]
  memories: Memory[]
  /** The API's error message if the session ended with it; null otherwise. */
  refusal: string | null
  edits: SessionEdit[]
}

/** Limit for a single text, so that a long session needs little memory. */
const MAX_TEXT = 64 * 1024
/** Answers and calls of older exchanges are dropped. */
const HELD_EXCHANGES = 500

/** Collects notes from a session, whose messages are added in reading order with all their texts. */
export class NoteTaker {
  readonly #session: Session
  readonly #verdict: Verdict | null
  readonly #edits: EditStory
  readonly #drawn: ReadonlySet<string> | null
  readonly #exchanges: Exchange[] = []
  /** The last failed run of everything that is open, by message and index: only these need their full output. */
  readonly #open: Map<string, OpenRuns>
  readonly #callIds = new Set<string>()
  readonly #answers: PersonAnswer[] = []
  readonly #memories: Memory[] = []
  #tasks: SessionNotes['tasks'] = []

  constructor(session: Session, { root, verdict }: { root: string | null; verdict: Verdict | null }) {
    this.#session = session
    this.#verdict = verdict
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
      answers: this.#answers,
      tasks: this.#tasks,
      memories: this.#memories,
      refusal: this.#refusal(),
      edits: this.#edits.finish(),
    }
  }

  /** Excludes what was rewound. For a buried session, its last conversation counts. */
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
      this.#noteCall(call, call.timestamp ?? timestamp)
    }
  }

  #noteCall(call: ToolCall, timestamp: string | null): void {
    const list = [call.display, call.output].find((output) => output?.kind === 'todos')
    if (list?.kind === 'todos') this.#tasks = list.todos
    for (const { question, answer } of askedQuestions(call))
      if (answer !== null && answer.trim() !== '') this.#answers.push({ question, answer, timestamp })
    if (call.failed) return
    const plan = call.name === 'exit_plan_mode' ? textArgument(call, 'plan_path') : ''
    if (plan !== '' && 'text' in call.output && call.output.text.startsWith('Plan approved'))
      this.#answers.push({ question: plan, answer: 'Plan approved', timestamp })
    const fact = call.name === 'save_memory' ? textArgument(call, 'fact') : ''
    if (fact.trim() !== '') this.#memories.push({ fact, timestamp })
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

  #refusal(): string | null {
    if (this.#verdict?.kind !== 'apiError') return null
    const { messageKey } = this.#verdict
    const notice = this.#session.messages.find(({ key }) => key === messageKey)
    return notice === undefined ? null : messageText(notice)
  }
}

/** What the CLI puts before a sub-agent's task. */
const CONTEXT = /^\s*<session_context>[\s\S]*?<\/session_context>/

function textArgument({ args }: ToolCall, name: string): string {
  const value: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, name) : undefined
  return typeof value === 'string' ? value : ''
}

function openRuns(session: Session): Map<string, OpenRuns> {
  const open = new Map<string, OpenRuns>()
  const passed = lastSuccesses(session)
  for (const { run, series, kind } of failedRuns(session)) {
    if (kind === 'laterSucceeded' || run !== series.at(-1)) continue
    const { message, call, index } = run
    open.set(placeOf(message.key, index), {
      call,
      timestamp: call.timestamp ?? message.timestamp,
      fate: kind,
      failures: series.filter((each) => each.call.failed).length,
      runs: series.length,
      broader: isCommand(call) ? findBroader(subjectOf(call), message, passed) : null,
    })
  }
  return open
}

interface Success {
  command: string
  message: Message
  timestamp: string | null
}

/** The last one of each command. */
function lastSuccesses(session: Session): Success[] {
  return findRuns(session).flatMap((series) => {
    const run = series.findLast(({ call }) => isCommand(call) && call.status === 'success' && !call.failed)
    if (run === undefined) return []
    const { call, message } = run
    return [{ command: subjectOf(call), message, timestamp: call.timestamp ?? message.timestamp }]
  })
}

/** It may have included the failed check, which cannot be proven, so it is listed next to the failure. */
function findBroader(
  command: string,
  { timestamp }: Message,
  passed: readonly Success[],
): OpenRuns['broader'] {
  const isLater = (success: Success) => (success.message.timestamp ?? '') > (timestamp ?? '')
  return (
    passed.findLast((success) => command.startsWith(`${success.command.trim()} `) && isLater(success)) ?? null
  )
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

/** What a call is about: a failed edit and a later successful one with other content are attempts at the same. */
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
