import type { Waste, WasteFinding, WasteKind, WastePlace, WasteRounds } from '../model/insights.ts'
import type { Message, Session, ToolCall } from '../model/message.ts'
import { type Cost, NO_COST, NO_USAGE, type TokenUsage } from '../model/usage.ts'
import { textFingerprint } from '../parse/text-fingerprint.ts'
import { estimateTokens, weighOutput } from './context.ts'
import { type FileTouch, findFileCalls } from './find-file-calls.ts'
import { canonicalJson, isPrompt, messageText, oneLine } from './messages.ts'
import { findCompressions } from './outline.ts'
import { savedOutputMentions } from './saved-output-mentions.ts'
import { addCost, type PriceCall } from './sums.ts'

/**
 * Reads of lines that an earlier call had read, while the context still had them and no edit of the file or call with possible side effects
 * came in between.
 */
function findRereads<Trace extends ReadTrace>(traces: readonly Trace[]): Suspicion<Trace>[] {
  const held = new Map<string, Suspicion<Trace>>()
  const found = new Set<Suspicion<Trace>>()
  let epoch = 0
  for (const trace of traces) {
    if (trace.epoch !== epoch) held.clear()
    epoch = trace.epoch
    for (const path of trace.changes) held.delete(path)
    if (!trace.isLook && trace.changes.length === 0) held.clear()
    if (trace.reads.length !== 1 || trace.range === null || trace.failed || !trace.isDone) continue
    for (const path of trace.reads) {
      const earlier: Suspicion<Trace> = held.get(path) ?? { kind: 'reread-file', calls: [] }
      const isExtra = earlier.calls.some((call) => covers(call.trace, trace))
      earlier.calls.push({ trace, isExtra })
      held.set(path, earlier)
      if (isExtra) found.add(earlier)
    }
  }
  return [...found]
}

/**
 * For the same lines, the results show whether the file was unchanged; for others, only the same turn counts. Results that the CLI cut or
 * masked are no longer in the context.
 */
function covers(earlier: ReadTrace, later: ReadTrace): boolean {
  if (earlier.range === null || later.range === null || earlier.savedTo.length > 0) return false
  const { from, to } = later.range
  if (earlier.range.from === from && earlier.range.to === to) return earlier.answer === later.answer
  return earlier.turn === later.turn && earlier.range.from <= from && earlier.range.to >= to
}

/** Two different answers are a coincidence (a test that prints its time), three are polling. */
const MIN_POLLS = 3
/**
 * An unknown tool may have side effects (a key press, a page turn); only a result this long, twice the same, shows that it was read-only.
 */
const MIN_LOOK_TOKENS = 200

/**
 * The same call again with nothing in between that could change its result: no edit, no command, no tool with possible side effects. A test
 * run after each edit is not a repeat. If the results differ nevertheless, the model was polling.
 */
function findRepeats(traces: readonly CallTrace[]): Suspicion[] {
  const groups = new Map<string, { clock: number; calls: CallTrace[] }>()
  const repeats: CallTrace[][] = []
  let clock = 0
  for (const trace of traces) {
    const group = groups.get(trace.question)
    const isSame = group !== undefined && group.clock === clock && canCompare(group.calls, trace)
    const calls = isSame ? group.calls : []
    calls.push(trace)
    if (calls.length === 2) repeats.push(calls)
    if (!trace.isLook) clock += 1
    groups.set(trace.question, { clock, calls })
  }
  return repeats.flatMap(toSuspicion)
}

/** Between two prompts the user may have changed anything, and may want a command again. */
function canCompare([first]: readonly CallTrace[], { epoch, turn, isLook, isDone }: CallTrace): boolean {
  if (first === undefined || !first.isDone || !isDone || first.epoch !== epoch) return false
  return isLook || first.turn === turn
}

function toSuspicion(calls: CallTrace[]): Suspicion[] {
  const [first] = calls
  if (first === undefined || first.changes.length > 0) return []
  const isSteady = new Set(calls.map(({ answer }) => answer)).size === 1
  if (!isSteady && (calls.length < MIN_POLLS || calls.some(({ turn }) => turn !== first.turn))) return []
  const isOfOthers = !first.isLook && !first.isShell
  if (isOfOthers && (!isSteady || first.tokens < MIN_LOOK_TOKENS)) return []
  return [
    {
      kind: isSteady ? 'repeated-call' : 'polled',
      calls: calls.map((trace, index) => ({ trace, isExtra: index > 0 })),
    },
  ]
}

/** Fewer failures in a row are normal. */
const MIN_FAILURES = 3

/** One tool, or one program in the shell, that failed repeatedly with no other call in between. */
function findFailingTools(traces: readonly CallTrace[]): Suspicion[] {
  const found: Suspicion[] = []
  let run: CallTrace[] = []
  const close = () => {
    if (run.length >= MIN_FAILURES)
      found.push({ kind: 'failing-tool', calls: run.map((trace) => ({ trace, isExtra: true })) })
    run = []
  }
  for (const trace of traces) {
    const [first] = run
    if (!trace.failed || (first !== undefined && whatFailed(first) !== whatFailed(trace))) close()
    if (trace.failed) run.push(trace)
  }
  close()
  return found
}

/** Three commands that return false (`test`, `grep`, `which`) are a search, not three attempts at one thing. */
function whatFailed({ tool, isShell, subject }: CallTrace): string {
  return isShell ? `${tool} ${subject.split(' ', 1)[0] ?? ''}` : tool
}

const MAX_SUBJECT_LENGTH = 160

/** The most informative first: a call counts for the first finding that lists it as extra. */
const FINDERS = [findCutOutputs, findRepeats, findRereads, findFailedEdits, findFailingTools]
const NO_ROUNDS: WasteRounds = { calls: 0, tokens: 0, cost: NO_COST }

/**
 * Finds work that a session did twice. Its messages are passed in order, batch by batch, with all their texts; the calls of each model are
 * analyzed separately.
 */
export class WasteFinder {
  readonly #compressions: ReadonlySet<number>
  readonly #traces = new Map<string | null, CallTrace[]>()
  readonly #errors = new ErrorRuns()
  #offset = 0
  #turn = 0
  #epoch = 0

  constructor(session: Session) {
    this.#compressions = new Set(findCompressions(session).map(({ offset }) => offset))
  }

  add(messages: readonly Message[]): void {
    for (const message of messages) {
      if (isPrompt(message)) this.#turn += 1
      if (this.#compressions.has(this.#offset)) this.#epoch += 1
      const place = { offset: this.#offset++, turn: this.#turn }
      this.#errors.add(message, place)
      const traces = this.#traces.get(message.agentKey) ?? []
      traces.push(...traceCalls(message, { ...place, epoch: this.#epoch }))
      this.#traces.set(message.agentKey, traces)
    }
  }

  finish(priceCall: PriceCall): Waste {
    this.#errors.close()
    const reported = new Set<CallTrace>()
    const suspicions = [...this.#traces.values()].flatMap((traces) => FINDERS.flatMap((find) => find(traces)))
    const ofCalls = suspicions.flatMap((suspicion) => toFinding(suspicion, reported, priceCall) ?? [])
    const ofErrors = this.#errors.runs.map(
      (run): WasteFinding => ({
        ...run,
        kind: 'error-run',
        tool: '',
        tokens: 0,
        cost: NO_COST,
        rounds: NO_ROUNDS,
      }),
    )
    const findings = [...ofCalls, ...ofErrors].sort(
      (one, other) => tokensOf(other) - tokensOf(one) || firstOffset(one) - firstOffset(other),
    )
    return {
      findings,
      tokens: findings.reduce((sum, { tokens }) => sum + tokens, 0),
      cost: findings.map(({ cost }) => cost).reduce(addCost, NO_COST),
      rounds: findings.map(({ rounds }) => rounds).reduce(addRounds, NO_ROUNDS),
    }
  }
}

/** null if too many of its calls count for other findings. */
function toFinding(
  { kind, calls }: Suspicion,
  reported: Set<CallTrace>,
  priceCall: PriceCall,
): WasteFinding | null {
  const kept = calls.filter(({ trace, isExtra }) => !isExtra || !reported.has(trace))
  const extra = kept.filter(({ isExtra }) => isExtra).map(({ trace }) => trace)
  const [first] = kept
  if (first === undefined || extra.length < (kind === 'failing-tool' ? MIN_FAILURES : 1)) return null
  for (const trace of extra) reported.add(trace)
  return {
    kind,
    tool: first.trace.tool,
    subject: first.trace.subject,
    places: kept.map(({ trace, isExtra }) => {
      const { messageKey, offset, turn, timestamp, callId, call, tokens } = trace
      return { messageKey, offset, turn, timestamp, callId, call, tokens, isExtra }
    }),
    tokens: extra.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: extra.map((trace) => costOf(trace, freshInput(trace.tokens), priceCall)).reduce(addCost, NO_COST),
    rounds: roundsOf(extra, priceCall),
  }
}

function freshInput(tokens: number): TokenUsage {
  return { ...NO_USAGE, input: tokens, total: tokens, calls: 1 }
}

/** A model call that also requested useful work cannot be divided. */
function roundsOf(extra: readonly CallTrace[], priceCall: PriceCall): WasteRounds {
  const ofMessage = new Map<string, CallTrace[]>()
  for (const trace of extra)
    ofMessage.set(trace.messageKey, [...(ofMessage.get(trace.messageKey) ?? []), trace])
  return [...ofMessage.values()]
    .flatMap(([first, ...rest]) => (first?.callCount === rest.length + 1 ? [first] : []))
    .map((trace) => toRound(trace, priceCall))
    .reduce(addRounds, NO_ROUNDS)
}

function toRound(trace: CallTrace, priceCall: PriceCall): WasteRounds {
  const { usage } = trace
  if (usage === null) return { ...NO_ROUNDS, calls: 1 }
  const tokens = usage.input + usage.output + usage.thoughts + usage.tool
  return { calls: 1, tokens, cost: costOf(trace, usage, priceCall) }
}

function costOf({ model, askedAt }: CallTrace, usage: TokenUsage, priceCall: PriceCall): Cost {
  const usd = priceCall({ model, timestamp: askedAt, usage })
  return { usd, unpricedCalls: usd === null ? 1 : 0 }
}

function addRounds(one: WasteRounds, other: WasteRounds): WasteRounds {
  return {
    calls: one.calls + other.calls,
    tokens: one.tokens + other.tokens,
    cost: addCost(one.cost, other.cost),
  }
}

function tokensOf({ tokens, rounds }: WasteFinding): number {
  return tokens + rounds.tokens
}

function firstOffset({ places }: WasteFinding): number {
  return places[0]?.offset ?? 0
}

/** Consecutive error notices until the model answers, whatever was typed in between. */
class ErrorRuns {
  readonly runs: { subject: string; places: WastePlace[] }[] = []
  #places: WastePlace[] = []
  #subject = ''

  add(message: Message, place: { offset: number; turn: number }): void {
    if (message.type === 'error') {
      this.#subject = oneLine(messageText(message), MAX_SUBJECT_LENGTH)
      const { key: messageKey, timestamp } = message
      const isExtra = this.#places.length > 0
      this.#places.push({ ...place, messageKey, timestamp, callId: null, call: null, tokens: 0, isExtra })
    } else if (message.origin === 'model') this.close()
  }

  close(): void {
    if (this.#places.length > 1) this.runs.push({ subject: this.#subject, places: this.#places })
    this.#places = []
  }
}

/** Failed edits of a file, with the next attempt in the same turn. */
function findFailedEdits(traces: readonly CallTrace[]): Suspicion[] {
  const open = new Map<string, CallTrace[]>()
  const found: Suspicion[] = []
  for (const trace of traces) {
    for (const path of trace.changes) {
      const failed = open.get(path) ?? []
      const isSameTurn = failed.every(({ turn }) => turn === trace.turn)
      if (trace.failed) open.set(path, isSameTurn ? [...failed, trace] : [trace])
      else {
        open.delete(path)
        if (isSameTurn && failed.length > 0) found.push(toFoundSuspicion(failed, trace))
      }
    }
  }
  const unsolved = [...open.values()].filter((failed) => failed.length > 1)
  return [...found, ...unsolved.map((failed) => toFoundSuspicion(failed, null))]
}

function toFoundSuspicion(failed: readonly CallTrace[], success: CallTrace | null): Suspicion {
  const calls = failed.map((trace) => ({ trace, isExtra: true }))
  return {
    kind: 'failed-edit',
    calls: success === null ? calls : [...calls, { trace: success, isExtra: false }],
  }
}

/** A result that the CLI cut or masked and saved to a file, and the calls that read that file. */
function findCutOutputs(traces: readonly CallTrace[]): Suspicion[] {
  const cut: CallTrace[] = []
  const found = new Map<CallTrace, Suspicion>()
  for (const trace of traces) {
    const source = cut.find(({ savedTo }) => savedTo.some((path) => asksFor(trace, path)))
    if (source !== undefined) {
      const suspicion = found.get(source) ?? {
        kind: 'cut-output',
        calls: [{ trace: source, isExtra: false }],
      }
      suspicion.calls.push({ trace, isExtra: true })
      found.set(source, suspicion)
    }
    if (trace.savedTo.length > 0) cut.push(trace)
  }
  return [...found.values()]
}

/** With a tool that reads files, or a command that names it. */
function asksFor(trace: CallTrace, path: string): boolean {
  const name = path.split('/').at(-1) ?? path
  return (
    trace.reads.some((read) => read.split(/[\\/]/).at(-1) === name) ||
    (trace.isShell && trace.subject.includes(name))
  )
}

/** How the CLI reports a partial read: up to 0.21 in brackets at the start, later in a paragraph with a status. */
const PART_SHOWN = /showing lines (\d+)-(\d+) of \d+ total lines/i
/** It precedes the text. */
const SEARCHED_CHARS = 300

/** What is kept of a call until the whole session is known: no text, so that sessions of any size fit into memory. */
interface CallTrace {
  messageKey: string
  offset: number
  turn: number
  /** Number of compressions before: earlier results are no longer in the context. */
  epoch: number
  timestamp: string | null
  callId: string
  /** Its index among the calls of its message, and their number. */
  call: number
  callCount: number
  /** Of the model call that requested it. */
  usage: TokenUsage | null
  askedAt: string | null
  agentKey: string | null
  model: string | null
  tool: string
  subject: string
  /** Equal for the same tool with the same arguments. */
  question: string
  /** Equal for equal results. */
  answer: string
  tokens: number
  failed: boolean
  /** false if the user declined it, or no result was recorded. */
  isDone: boolean
  /** Files it read, or changed. */
  reads: string[]
  changes: string[]
  /** The lines it read; null if unknown. */
  range: { from: number; to: number } | null
  /** Files of the CLI with the whole of a cut or masked result. */
  savedTo: string[]
  isShell: boolean
  /** It is read-only, so it does not affect later results. */
  isLook: boolean
}

/** The parts of a call that show whether a file was read again. */
type ReadTrace = Pick<
  CallTrace,
  | 'messageKey'
  | 'turn'
  | 'epoch'
  | 'callCount'
  | 'answer'
  | 'failed'
  | 'isDone'
  | 'reads'
  | 'changes'
  | 'range'
  | 'savedTo'
  | 'isLook'
>

/** Tools of the CLI itself, in any version. The effects of other tools are unknown. */
const LOOKING_TOOLS = new Set([
  'read_file',
  'read_many_files',
  'list_directory',
  'glob',
  'grep_search',
  'search_file_content',
  'web_fetch',
  'google_web_search',
  'write_todos',
])
const READING_TOOLS = new Set(['read_file', 'read_many_files'])
const SHELL_TOOLS = new Set(['run_shell_command', 'ShellTool', 'shell'])

interface TracePlace {
  offset: number
  turn: number
  epoch: number
}

/** Traces of a message's calls, which needs all their texts. Excludes copies, which made none, and superseded messages. */
function traceCalls(message: Message, place: TracePlace): CallTrace[] {
  if (!isCounted(message)) return []
  return message.toolCalls.map((call, index) => {
    const touches = findFileCalls(message, call, null)
    const args = canonicalJson(call.args)
    return {
      ...traceRead(message, call, touches, place),
      answer: answerOf(call),
      savedTo: savedOutputMentions(call),
      offset: place.offset,
      timestamp: call.timestamp ?? message.timestamp,
      callId: call.id,
      call: index,
      usage: message.usage,
      askedAt: message.timestamp,
      agentKey: message.agentKey,
      model: message.model,
      tool: call.name,
      subject: subjectOf(call, touches[0]),
      question: textFingerprint(`${call.name} ${args}`),
      tokens: Math.round(estimateTokens(args) + weighOutput(call.output)),
      isShell: SHELL_TOOLS.has(call.name),
    }
  })
}

/** Only the calls that read a file, change one, or may have other effects: faster, since few results are processed. */
function traceReads(message: Message, place: TracePlace): ReadTrace[] {
  if (!isCounted(message)) return []
  return message.toolCalls.flatMap((call) => {
    if (LOOKING_TOOLS.has(call.name) && !READING_TOOLS.has(call.name)) return []
    const trace = traceRead(message, call, findFileCalls(message, call, null), place)
    return trace.reads.length === 1
      ? { ...trace, answer: answerOf(call), savedTo: savedOutputMentions(call) }
      : { ...trace, answer: '', savedTo: [] }
  })
}

function isCounted({ copyOf, superseded }: Message): boolean {
  return copyOf === null && (superseded === null || superseded === 'compacted')
}

function traceRead(
  message: Message,
  call: ToolCall,
  touches: readonly FileTouch[],
  { turn, epoch }: TracePlace,
): Omit<ReadTrace, 'answer' | 'savedTo'> {
  const pathsOf = (...actions: string[]) =>
    touches.filter((touch) => actions.includes(touch.action)).map(({ path }) => path)
  return {
    messageKey: message.key,
    turn,
    epoch,
    callCount: message.toolCalls.length,
    failed: call.failed,
    isDone: call.status !== 'cancelled' && call.status !== 'unanswered',
    reads: pathsOf('read'),
    changes: pathsOf('wrote', 'edited'),
    range: readRange(call),
    isLook: LOOKING_TOOLS.has(call.name),
  }
}

function answerOf({ status, output }: ToolCall): string {
  if ('text' in output) return `${status} ${output.kind} ${textFingerprint(output.text)}`
  return textFingerprint(JSON.stringify([status, output]) ?? '')
}

/** The file or command; for a search its description, since the folder alone says little. */
function subjectOf({ args, description }: ToolCall, touch: FileTouch | undefined): string {
  const command = typeof args === 'object' && args !== null && 'command' in args ? args.command : undefined
  if (typeof command === 'string') return oneLine(command, MAX_SUBJECT_LENGTH)
  const path = touch?.path
  const words = touch?.action === 'searched' ? (description ?? path) : (path ?? description)
  return oneLine(words ?? canonicalJson(args), MAX_SUBJECT_LENGTH)
}

interface Lines {
  from: number
  to: number
}

/** The lines of a file returned by a read, counted from 1; all of them if neither the result nor the call has a range. null if unknown. */
function readRange({ args, output }: Pick<ToolCall, 'args' | 'output'>): Lines | null {
  return shownRange(output) ?? askedRange(args)
}

function shownRange(output: ToolCall['output']): Lines | null {
  if (output.kind !== 'text' && output.kind !== 'markdown') return null
  const [, from, to] = PART_SHOWN.exec(output.text.slice(0, SEARCHED_CHARS)) ?? []
  return from === undefined || to === undefined ? null : { from: Number(from), to: Number(to) }
}

function askedRange(args: unknown): Lines | null {
  if (typeof args !== 'object' || args === null) return null
  const field = (name: string): number | undefined => {
    const value: unknown = Reflect.get(args, name)
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }
  // 0.4 to 0.38 used an offset, later versions line numbers.
  const from = field('start_line') ?? (field('offset') ?? 0) + 1
  const limit = field('limit')
  const to = field('end_line') ?? (limit === undefined ? Number.POSITIVE_INFINITY : from + limit - 1)
  return to >= from ? { from, to } : null
}

/** Calls that belong together, before each is assigned to one finding. */
interface Suspicion<Trace = CallTrace> {
  kind: WasteKind
  /** In order. */
  calls: { trace: Trace; isExtra: boolean }[]
}

/** What a message read again: the number of such calls, and the files. */
export interface Rereads {
  calls: number
  /** Number of all calls in the message. */
  callCount: number
  paths: string[]
}

/**
 * Finds calls that read what was still in the context. Messages are passed in order, batch by batch, with all their texts; the calls of
 * each model are analyzed separately.
 */
export class RereadFinder {
  readonly #compressions: ReadonlySet<number>
  readonly #traces = new Map<string | null, ReadTrace[]>()
  #offset = 0
  #turn = 0
  #epoch = 0

  constructor(session: Session) {
    this.#compressions = new Set(findCompressions(session).map(({ offset }) => offset))
  }

  add(messages: readonly Message[]): void {
    for (const message of messages) {
      if (isPrompt(message)) this.#turn += 1
      if (this.#compressions.has(this.#offset)) this.#epoch += 1
      const place = { offset: this.#offset++, turn: this.#turn, epoch: this.#epoch }
      if (message.toolCalls.length === 0) continue
      const traces = this.#traces.get(message.agentKey) ?? []
      traces.push(...traceReads(message, place))
      this.#traces.set(message.agentKey, traces)
    }
  }

  /** By message key. */
  finish(): Map<string, Rereads> {
    const found = new Map<string, Rereads>()
    const suspicions = [...this.#traces.values()].flatMap((traces) => findRereads(traces))
    for (const { trace, isExtra } of suspicions.flatMap(({ calls }) => calls)) {
      if (!isExtra) continue
      const { messageKey, callCount, reads } = trace
      const known = found.get(messageKey) ?? { calls: 0, callCount, paths: [] }
      found.set(messageKey, { callCount, calls: known.calls + 1, paths: [...known.paths, ...reads] })
    }
    return found
  }
}
