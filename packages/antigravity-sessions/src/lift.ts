import {
  type Message,
  type Part,
  sessionKey,
  type Thought,
  type TokenUsage,
  type ToolCall,
  type ToolOutput,
} from 'gemini-sessions'
import { uriToPath } from './read-content.ts'
import {
  type AgyModel,
  type NameModel,
  type RecordedStep,
  type RowUsage,
  readCommandText,
  readTaskExitCode,
  type StepCall,
  type StepContent,
  type StepStatus,
  type StepUsage,
  toAgyModel,
} from './recorded-step.ts'
import { type ReplayedRow, rowToStep } from './transcript.ts'

/** The text of an approval without a comment. */
const PLAIN_APPROVAL = /^The user has approved this document\.?$/
/** After a compaction the first request is injected again, within this many steps. */
const REPEATED_PROMPT_STEPS = 3

interface LiftedSteps {
  messages: Message[]
  /** By `Message.model`. */
  models: ReadonlyMap<string, AgyModel>
  /** Numbers of steps with contradictory token counts. */
  badUsage: number[]
}

/** Messages from the steps of one conversation, in display order. Result steps do not become messages. */
export function liftSteps(placed: readonly PlacedStep[], nameModel: NameModel): LiftedSteps {
  return new Lift(placed, nameModel).run()
}

class Lift {
  readonly #placed: readonly PlacedStep[]
  readonly #nameModel: NameModel
  readonly #results: JoinedResults
  readonly #tasks: ReadonlyMap<number, string>
  readonly #keys = new Map<string, number>()
  readonly #badUsage: number[] = []
  readonly #models = new Map<string, AgyModel>()
  /** From the last prompt in a transcript that changed the model. */
  #chosen: string | null = null
  #prompts = 0
  #isNamed = false
  #firstPrompt = ''
  #checkpoint = Number.NEGATIVE_INFINITY

  constructor(placed: readonly PlacedStep[], nameModel: NameModel) {
    this.#placed = placed
    this.#nameModel = nameModel
    this.#results = joinResults(placed)
    this.#tasks = findTaskMessages(placed)
  }

  run(): LiftedSteps {
    const messages = this.#placed.flatMap((entry, place) =>
      this.#results.isResult(place) ? [] : this.#toMessage(entry, place),
    )
    return { messages, models: this.#models, badUsage: this.#badUsage }
  }

  #toMessage({ step, superseded }: PlacedStep, place: number): Message {
    const key = this.#keyOf(step)
    const { file, line } = step.place
    const message: Message = {
      ...{ key, id: key, timestamp: step.time, superseded },
      ...{ model: null, cost: null, copyOf: null, agentKey: null, segment: 0 },
      ...{ attachments: [], thoughts: [], toolCalls: [] },
      ...this.#say(step, place),
      usage: this.#usageOf(step),
      source: line === undefined ? { file, index: step.index } : { file, line },
    }
    const usage = step.record?.usage ?? null
    if (usage !== null) message.model = this.#note(this.#nameModel(usage))
    else if (this.#chosen !== null && step.record === null && message.origin === 'model')
      message.model = this.#note(toAgyModel(0, this.#chosen, ''))
    return message
  }

  #say(step: RecordedStep, place: number): Said {
    const { content } = step
    switch (content.kind) {
      case 'prompt':
        return this.#prompt(content, place)
      case 'answer':
        return {
          type: 'gemini',
          origin: 'model',
          content: toText(content.text),
          thoughts: splitThinking(content.thinking, step.time),
          toolCalls: content.calls.map((call, number) => {
            const result = this.#results.resultOf(place, number)
            const task = result === null ? null : (this.#tasks.get(result.index) ?? null)
            return toCall(call, result, step.time, task)
          }),
        }
      case 'checkpoint':
        return this.#checkpointMark(content, place)
      case 'notice':
        return { type: 'info', origin: 'injected', content: noticeParts(content) }
      case 'error':
        return { type: 'error', origin: 'cli', content: toText(toErrorText(content)) }
      case 'result':
        return { type: 'info', origin: 'tool-result', content: toText(resultText(content)) }
      case 'user-action':
        return { type: 'info', origin: 'cli', content: toText(content.text) }
      case 'unknown':
        return { type: 'info', origin: 'cli', content: [{ kind: 'unknown', json: content.raw }] }
    }
  }

  #prompt(content: Extract<StepContent, { kind: 'prompt' }>, place: number): Said {
    const { text, media, approvals, context } = content
    this.#chosen = content.chosenModel ?? this.#chosen
    const comments = approvals.flatMap(({ uri, comment }) =>
      comment === '' || PLAIN_APPROVAL.test(comment) ? [] : [{ path: uriToPath(uri) ?? uri, text: comment }],
    )
    const attachments = [...comments, ...context.map((part) => ({ path: '', text: part }))]
    if (text === '' && media.length === 0 && approvals.length > 0) {
      const names = approvals.map(({ uri }) => fileNameOf(uri))
      return { type: 'info', origin: 'cli', content: toText(`approved ${names.join(', ')}`), attachments }
    }
    const isRepeated = place - this.#checkpoint <= REPEATED_PROMPT_STEPS && text === this.#firstPrompt
    const isTyped = !content.isInjected && !isRepeated
    if (isTyped) {
      if (this.#prompts === 0) this.#firstPrompt = text
      this.#prompts++
    }
    const origin = isTyped ? 'human' : 'injected'
    return { type: 'user', origin, content: [...toText(text), ...media], attachments }
  }

  /** The first one names the conversation, within its first turn; later ones mark where the context was compacted. */
  #checkpointMark({ title, text }: Extract<StepContent, { kind: 'checkpoint' }>, place: number): Said {
    const isNaming = title !== '' && !this.#isNamed && this.#prompts <= 1
    if (isNaming) {
      this.#isNamed = true
      return { type: 'info', origin: 'cli', content: toText(`conversation named: ${firstLine(title)}`) }
    }
    this.#checkpoint = place
    // In the model, an empty notice marks a compaction.
    return {
      type: 'info',
      origin: 'injected',
      content: [],
      attachments: text === '' ? [] : [{ path: '', text }],
    }
  }

  #usageOf({ record, rowUsage, index }: RecordedStep): TokenUsage | null {
    if (record?.usage) {
      const { thinking, answer, output } = record.usage
      const isBad = thinking !== null && answer !== null && thinking + answer !== output
      if (isBad) this.#badUsage.push(index)
      return toTokenUsage(record.usage)
    }
    return rowUsage === null ? null : rowTokenUsage(rowUsage)
  }

  #note(model: AgyModel): string {
    this.#models.set(model.name, model)
    return model.name
  }

  #keyOf({ index, record }: RecordedStep): string {
    const key = `${record?.trajectory || 'step'}:${index}`
    const count = (this.#keys.get(key) ?? 0) + 1
    this.#keys.set(key, count)
    return count === 1 ? key : `${key}~${count}`
  }
}

type Said = Pick<Message, 'type' | 'origin' | 'content'> &
  Partial<Pick<Message, 'attachments' | 'thoughts' | 'toolCalls'>>

/** A session's key: derived only from its conversation id, so that it stays the same if a transcript replaces the database. */
export function conversationKey(id: string): string {
  return sessionKey(id.toLowerCase(), 'antigravity')
}

/** Messages about commands that continued in the background, by the step number of the command. */
function findTaskMessages(placed: readonly PlacedStep[]): Map<number, string> {
  const found = new Map<number, string>()
  for (const { step, superseded } of placed) {
    if (step.content.kind !== 'notice' || superseded !== null) continue
    for (const [, number] of step.content.text.matchAll(/\/task-(\d+)\b/g))
      found.set(Number(number), step.content.text)
  }
  return found
}

function toText(text: string): Part[] {
  return text === '' ? [] : [{ kind: 'text', text }]
}

/** A marker without text uses its name: in the model, an empty notice marks a compaction. */
function noticeParts({ name, title, text }: Extract<StepContent, { kind: 'notice' }>): Part[] {
  const words = name.toLowerCase().replaceAll('_', ' ')
  return toText(text || title || words.charAt(0).toUpperCase() + words.slice(1))
}

/** With the provider's code, in the form of Gemini CLI's own notices of refused requests. */
function toErrorText({ text, code }: Extract<StepContent, { kind: 'error' }>): string {
  return code === null ? text : `[API Error: ${JSON.stringify({ error: { code, message: text } })}]`
}

function resultText({ output, error }: Extract<StepContent, { kind: 'result' }>): string {
  if (error !== '' || output === null) return error
  return 'text' in output ? output.text : output.kind === 'unknown' ? JSON.stringify(output.json) : ''
}

function fileNameOf(uri: string): string {
  return (uriToPath(uri) ?? uri).split('/').at(-1) ?? uri
}

function firstLine(text: string): string {
  return text.split('\n')[0]?.trim() ?? ''
}

/** Splits thoughts at the bold headings of their paragraphs. `timestamp`: of their step. */
function splitThinking(thinking: string, timestamp: string | null): Thought[] {
  if (thinking.trim() === '') return []
  const pieces = thinking.split(/^\s*\*\*([^*\n]+)\*\*[^\S\n]*$/m)
  const [before = '', ...rest] = pieces
  const thoughts: Thought[] =
    before.trim() === '' ? [] : [{ subject: '', description: before.trim(), timestamp }]
  for (let at = 0; at < rest.length; at += 2)
    thoughts.push({ subject: rest[at]?.trim() ?? '', description: rest[at + 1]?.trim() ?? '', timestamp })
  return thoughts
}

/** A step that answers a call: its result, or an error. */
type ResultStep = RecordedStep & { content: Extract<StepContent, { kind: 'result' | 'error' }> }

/** Which step answers which call. */
interface JoinedResults {
  /** For the k-th call (from 0) of the step at this place; null: no answer. */
  resultOf(place: number, call: number): ResultStep | null
  /** Whether the step at this place is the result of a call, and so does not become a message. */
  isResult(place: number): boolean
}

/**
 * Finds the results of all calls: by id if the database has one, else by position: the k-th call (from 0) of step i has its result in step
 * i + 1 + k.
 */
function joinResults(placed: readonly PlacedStep[]): JoinedResults {
  const byId = new Map<string, number>()
  for (const [place, { step }] of placed.entries()) {
    const id = step.record?.callId ?? null
    if (id !== null && step.content.kind === 'result') byId.set(id, place)
  }
  const results = new Map<string, ResultStep>()
  const taken = new Set<number>()
  for (const [place, { step }] of placed.entries()) {
    if (step.content.kind !== 'answer') continue
    for (const [number, call] of step.content.calls.entries()) {
      const found = (call.id === '' ? undefined : byId.get(call.id)) ?? findByPlace(placed, place, number)
      const result = found === null ? null : asResult(placed[found]?.step)
      if (found === null || result === null || taken.has(found)) continue
      taken.add(found)
      results.set(`${place} ${number}`, result)
    }
  }
  return {
    resultOf: (place, call) => results.get(`${place} ${call}`) ?? null,
    isResult: (place) => taken.has(place),
  }
}

function findByPlace(placed: readonly PlacedStep[], place: number, number: number): number | null {
  const start = placed[place]?.step.index ?? 0
  const wanted = start + 1 + number
  for (let at = place + 1; at < placed.length; at++) {
    const { step } = placed[at] ?? {}
    if (step === undefined || step.index > wanted || step.index <= start) return null
    if (step.index === wanted && asResult(step) !== null && !step.record?.callId) return at
  }
  return null
}

function asResult(step: RecordedStep | undefined): ResultStep | null {
  return step?.content.kind === 'result' || step?.content.kind === 'error' ? (step as ResultStep) : null
}

/** A step in display order. */
export interface PlacedStep {
  step: RecordedStep
  superseded: 'rewound' | 'replaced' | null
}

/** The steps from a transcript alone. */
export function placeRows(rows: readonly ReplayedRow[]): PlacedStep[] {
  return rows.map(({ row, superseded }) => ({ step: rowToStep(row), superseded }))
}

/**
 * The steps in the database, which are live, with those in the transcript that a rewind removed from it, each in its original position. A
 * row matches a step with the same number and second.
 * @param lost numbers of unreadable steps in the database, which their rows replace
 */
export function mergeSteps(
  steps: readonly RecordedStep[],
  rows: readonly ReplayedRow[],
  lost: readonly number[],
): PlacedStep[] {
  const isLost = new Set(lost)
  const byIndex = new Map(steps.map((step) => [step.index, step]))
  const placed: PlacedStep[] = []
  const rowOf = new Map<number, number>()
  for (const [at, { row }] of rows.entries()) {
    const step = byIndex.get(row.index)
    if (step !== undefined && isSameSecond(step.time, row.time)) rowOf.set(row.index, at)
  }
  const inDatabase = new Set(rowOf.values())
  let next = 0
  // If the beginning of the transcript is lost, only times determine which steps precede a rewound row.
  const addSteps = (before: number, until?: string) => {
    for (let step = steps[next]; step !== undefined && step.index < before; step = steps[++next]) {
      if (until !== undefined && (step.time ?? '').slice(0, 19) > until.slice(0, 19)) return
      placed.push({ step, superseded: null })
    }
  }
  for (const [at, { row, superseded }] of rows.entries()) {
    if (inDatabase.has(at)) addSteps(row.index + 1)
    else if (!isRepeatOf(row.index, row.time, byIndex)) {
      addSteps(row.index, row.time ?? '')
      placed.push({
        step: rowToStep(row),
        superseded: superseded ?? (isLost.has(row.index) ? null : 'rewound'),
      })
    }
  }
  addSteps(Number.POSITIVE_INFINITY)
  return placed
}

/** Whether it is an earlier state of a step in the database. */
function isRepeatOf(index: number, time: string | null, steps: ReadonlyMap<number, RecordedStep>): boolean {
  const step = steps.get(index)
  return step !== undefined && isSameSecond(step.time, time)
}

function isSameSecond(a: string | null, b: string | null): boolean {
  return a === null || b === null ? a === b : a.slice(0, 19) === b.slice(0, 19)
}

/** The outcome of a call. */
interface Outcome {
  status: StepStatus
  exitCode: number | null
  output: ToolOutput
  display: ToolOutput | null
}

const NO_OUTPUT: Outcome = { status: 'unanswered', exitCode: null, output: { kind: 'empty' }, display: null }

/** @param taskMessage a later message about a command that continued in the background; null: none */
function toCall(
  call: StepCall,
  result: ResultStep | null,
  timestamp: string | null,
  taskMessage: string | null,
): ToolCall {
  const { status, exitCode, output, display } = outcomeOf(call, result, taskMessage)
  return {
    id: call.id,
    name: call.name,
    displayName: null,
    description: argumentText(call.args, 'toolSummary') ?? argumentText(call.args, 'toolAction'),
    args: call.args,
    status,
    timestamp,
    exitCode,
    failed: status === 'error' || (exitCode !== null && exitCode !== 0),
    output,
    display,
    extraParts: [],
    agentId: call.name === 'invoke_subagent' && 'text' in output ? readAgentId(output.text) : null,
    agentKey: null,
  }
}

function outcomeOf(call: StepCall, result: ResultStep | null, taskMessage: string | null): Outcome {
  if (result === null) return NO_OUTPUT
  const { content, status } = result
  if (content.kind === 'error')
    return { ...NO_OUTPUT, status: 'error', output: { kind: 'error', text: content.text } }
  const { error, display } = content
  if (status === 'error' && error !== '')
    return { status, exitCode: content.exitCode, output: { kind: 'error', text: error }, display }
  const output = content.output ?? { kind: 'empty' }
  if (status === 'unanswered' && taskMessage !== null)
    return { status: 'success', exitCode: readTaskExitCode(taskMessage), output, display }
  // Since about 1.1.10 the exit code of a command is only in its text.
  const ended =
    call.name === 'run_command' && content.name === 'GENERIC' && output.kind === 'text'
      ? readCommandText(output.text)
      : null
  if (ended === null) return { status, exitCode: content.exitCode, output, display }
  const text: ToolOutput = ended.output === '' ? { kind: 'empty' } : { kind: 'text', text: ended.output }
  return { status, exitCode: ended.exitCode, output: text, display }
}

function argumentText(args: unknown, name: string): string | null {
  const value = typeof args === 'object' && args !== null ? Reflect.get(args, name) : null
  return typeof value === 'string' && value !== '' ? value : null
}

/** The conversation started by `invoke_subagent` (1.2+), whose result names it in JSON. */
function readAgentId(text: string): string | null {
  return /"[^"\n]*"\s*:\s*"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/i.exec(text)?.[1] ?? null
}

/** Tokens of one request in the model's terms. null: none are recorded, or they are contradictory. */
function toTokenUsage({
  input,
  output,
  cacheWrite,
  cacheRead,
  thinking,
  answer,
}: StepUsage): TokenUsage | null {
  if (thinking !== null && answer !== null && thinking + answer !== output) return null
  const counts = [input, output, cacheWrite, cacheRead, thinking ?? 0, answer ?? 0]
  if (counts.every((count) => count === 0) || !counts.every(isCount)) return null
  return {
    // The CLI counts cached tokens separately from the input, our model includes them.
    input: input + cacheRead + cacheWrite,
    cached: cacheRead,
    output: answer ?? (thinking === null ? output : Math.max(output - thinking, 0)),
    thoughts: thinking ?? (answer === null ? 0 : Math.max(output - answer, 0)),
    tool: 0,
    total: input + output + cacheWrite + cacheRead,
    calls: 1,
    callsWithoutTokens: 0,
  }
}

/** From a row of a transcript (1.3+), which does not separate thoughts from the answer. */
function rowTokenUsage({ input, cacheRead, output }: RowUsage): TokenUsage {
  const total = input + cacheRead + output
  return {
    ...{ input: input + cacheRead, cached: cacheRead, output, thoughts: 0, tool: 0, total },
    calls: 1,
    callsWithoutTokens: 0,
  }
}

function isCount(count: number): boolean {
  return Number.isSafeInteger(count) && count >= 0
}
