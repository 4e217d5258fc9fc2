import type { Depth, SessionDetail } from '@gemini-dash/api'
import { commandStateText, editStateText, failureNotes, NOT_TRACKED } from '@gemini-dash/api/change-words'
import {
  formatColumnClock,
  formatColumnCost,
  formatColumnDay,
  formatColumnMoment,
  formatColumnTime,
  formatCost,
  formatCount,
  formatPlural,
  formatSize,
  formatUsage,
} from '@gemini-dash/api/figures'
import { sessionName } from '@gemini-dash/api/session-name'
import { addedFrom, costCaveat, SOURCE_NAMES, speakerOf } from '@gemini-dash/api/source-names'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { verdictParts } from '@gemini-dash/api/verdict-words'
import {
  type ChangeStep,
  type Message,
  ownFigures,
  type Part,
  type SessionChanges,
  type SessionFigures,
  type Thought,
  type ToolCall,
  tellingLine,
  touchedPathName,
  type VerdictKind,
} from 'gemini-sessions'
import { type ChosenMessage, cutToDepth, fateWords, resultText } from '../export/choose-messages.ts'
import type { Terminal } from '../terminal/cli-error.ts'
import { escapeControls, escapeLine } from './escape-controls.ts'
import { createPaint, displayWidth, fitWidth, type Paint, padWidth, wrapText } from './paint.ts'

interface Look {
  terminal: Pick<Terminal, 'columns' | 'isColorful'>
  /** null: messages in full, thoughts by their subjects, one line per tool call. */
  depth: Depth | null
  nowMs: number
}

/** A conversation as text, piece by piece: first its head, then its messages by turn. */
export function* printConversation(
  detail: SessionDetail,
  chosen: readonly ChosenMessage[],
  { terminal, depth, nowMs }: Look,
): Generator<string> {
  const paint = createPaint(terminal.isColorful)
  const drawn = new Set(detail.drawnKeys)
  const page = { paint, columns: terminal.columns, isWhole: depth !== null }
  yield header(detail, page, nowMs)
  let last: string | null = null
  for (const shown of cutToDepth(chosen, depth ?? 'all')) {
    const { message, fate, closing } = shown
    if (message !== null && !isJoined(message)) {
      const head = `${headSpeaker(message)} ${fate}`
      const isNew = shown.begins !== null || head !== last || isPrompt(message) || page.isWhole
      if (shown.begins !== null) yield '\n'
      if (isNew) yield `\n${headline(shown, message, page)}`
      last = head
      const block = messageBlock(message, page)
      if (block !== '') yield `\n${fate === null || drawn.has(message.key) ? block : paint.dim(block)}`
    }
    if (closing !== null) {
      yield `\n${INDENT}${paint.red(escapeLine(closing))}`
      last = null
    }
  }
  yield '\n'
}

/** Title, how it ended, and the files that were edited before a command failed. */
export function printHead({ session }: SessionDetail, { terminal, nowMs }: Omit<Look, 'depth'>): string {
  const { columns, isColorful } = terminal
  const paint = createPaint(isColorful)
  return [
    paint.bold(escapeLine(sessionName(session))),
    ...verdictLines(session, { paint, columns }, nowMs),
  ].join('\n')
}

/** Results are printed with their calls, which can leave the message that brought them empty. */
function isJoined({ origin, content, attachments, toolCalls }: Message): boolean {
  return origin === 'tool-result' && [content, attachments, toolCalls].every((list) => list.length === 0)
}

function header({ session, figures, outline }: SessionDetail, page: Page, nowMs: number): string {
  const { paint, columns } = page
  const wrapped = (text: string) => (columns === null ? text : wrapText(text, columns))
  const { project, startTime, endTime, withSubagents } = session
  const own = ownFigures(session)
  // what became of failed calls is known only for the session's own
  const failed = ({ failures }: SessionFigures) =>
    failures?.tools === own.failures?.tools ? (figures.failedCalls?.text ?? null) : null
  const turns = outline.filter(({ number }) => number > 0).length
  const facts = [
    project.name,
    ...timeTexts(startTime, endTime, nowMs),
    formatPlural(turns, 'turn'),
    ...figureTexts(withSubagents, failed(withSubagents)),
  ]
  return [
    paint.bold(escapeLine(sessionName(session))),
    ...verdictLines(session, page, nowMs),
    wrapped(escapeLine(facts.join(', '))),
    ...(session.subagentKeys.length === 0
      ? []
      : [wrapped(`Sub-agents included; without them: ${figureTexts(own, failed(own)).join(', ')}`)]),
    ...sourceLine(session).map(wrapped),
    ...copiedFromLine(session),
    ...(session.deletedSeen === null ? [] : [keptLine(session, session.deletedSeen)]),
    ...(session.buried
      ? ['Gemini CLI no longer shows this conversation. This is the last one it recorded.']
      : []),
  ].join('\n')
}

/** The program it belongs to, unless that is Gemini CLI. */
function sourceLine({ source }: SessionDetail['session']): string[] {
  const caveat = costCaveat(source)
  return caveat === null ? [] : [`${SOURCE_NAMES[source]}. Costs: ${caveat}`]
}

/** `Nov 25`, `11:13-11:15`; over several days `Nov 20, 16:31 to Nov 21, 19:17`. */
function timeTexts(start: string | null, end: string | null, nowMs: number): string[] {
  if (start === null) return end === null ? [] : [formatColumnMoment(end, nowMs)]
  const clock = (iso: string) => formatColumnClock(iso, 'minutes')
  if (end === null) return [formatColumnDay(start, nowMs), clock(start)]
  const isOneDay = formatColumnTime(start).slice(0, 10) === formatColumnTime(end).slice(0, 10)
  return isOneDay
    ? [formatColumnDay(start, nowMs), `${clock(start)}-${clock(end)}`]
    : [`${formatColumnMoment(start, nowMs)} to ${formatColumnMoment(end, nowMs)}`]
}

/** `10 tool calls (2 failed)`, `943k tokens`, `$0.06` */
function figureTexts({ usage, cost, toolCalls, failures }: SessionFigures, failed: string | null): string[] {
  const failedText = failed ?? (failures?.tools ? `${formatCount(failures.tools)} failed` : '')
  const calls = toolCalls === null ? [] : [formatPlural(toolCalls, 'tool call')]
  const refused = failures?.refused ? [formatPlural(failures.refused, 'refused request')] : []
  return [
    ...calls.map((text) => (failedText === '' ? text : `${text} (${failedText})`)),
    ...refused,
    `${formatUsage(usage)} tokens`,
    formatCost(cost),
  ]
}

/** The sentence, and the files that were edited in between. */
function verdictLines(
  { verdict, project }: SessionDetail['session'],
  { paint, columns }: Omit<Page, 'isWhole'>,
  nowMs: number,
): string[] {
  if (verdict === null) return []
  const { kind, open } = verdict
  const { opening, rest } = verdictParts(verdict, formatColumnClock, nowMs)
  const sign = SIGNS[kind]
  const hasSecond = kind === 'stillFailing' && rest !== ''
  // long text continues below the words, not below the sign
  const indented = (text: string) => {
    const line = `  ${escapeLine(text)}`
    return columns === null ? line : wrapText(line, columns)
  }
  const shown = indented([opening, hasSecond ? '' : rest].filter((part) => part !== '').join(' ')).slice(2)
  const first = sign === null ? shown : `${sign} ${shown}`
  const files = (open?.edits?.files ?? []).map((file) => touchedPathName(file, project.path))
  return [
    sign === 'x' ? paint.red(first) : first,
    ...(hasSecond ? [indented(`${rest}${files.length === 0 ? '' : ':'}`)] : []),
    ...(hasSecond && files.length > 0 ? [indented(files.join(', '))] : []),
  ]
}

const SIGNS: Record<VerdictKind, 'x' | '!' | null> = {
  damaged: '!',
  empty: null,
  none: null,
  running: null,
  apiError: 'x',
  noReply: '!',
  declined: '!',
  stopped: '!',
  midAnswer: '!',
  stillFailing: 'x',
  neverRerun: '!',
  finished: null,
}

function copiedFromLine({ copiedFrom }: SessionDetail['session']): string[] {
  if (copiedFrom === null) return []
  const { sessionKey, requests } = copiedFrom
  const counted = `${formatCount(requests)} of its requests ${requests === 1 ? 'is' : 'are'} counted there`
  return [`Copied from ${escapeLine(sessionKey)}: ${counted}.`]
}

interface Page {
  paint: Paint
  /** null: not a terminal. */
  columns: number | null
  /** Thoughts and calls in full, and the tokens of each answer. */
  isWhole: boolean
}

const INDENT = '    '
const CALL_INDENT = '      '
const BELOW_CALL = '          '

function headSpeaker(message: Message): string {
  return message.type === 'error' ? 'Error' : speakerOf(message)
}

function isPrompt({ type, origin }: Message): boolean {
  return type === 'user' && origin === 'human'
}

/** A turn begins with its number and time; other speakers are named within it. */
function headline(
  { begins, fate }: Pick<ChosenMessage, 'begins' | 'fate'>,
  message: Message,
  { paint, isWhole }: Page,
): string {
  const speaker = headSpeaker(message)
  const name = message.type === 'error' ? paint.red(speaker) : paint.bold(speaker)
  const clock = message.timestamp === null ? null : formatColumnClock(message.timestamp)
  const beside = [
    ...(isPrompt(message) || isWhole ? [clock] : []),
    ...(isWhole && message.model !== null ? [escapeLine(message.model)] : []),
  ].filter((text) => text !== null)
  const rest = beside.length === 0 ? '' : paint.dim(`  ${beside.join('  ')}`)
  const label = fate === null ? '' : `  [${fate}]`
  const number = begins !== null && begins > 0 ? `[${begins}] ` : ''
  return `${number === '' && !isPrompt(message) ? INDENT : number}${name}${rest}${label}`
}

function messageBlock(message: Message, page: Page): string {
  const { paint, columns, isWhole } = page
  const prose = (text: string) => indented(columns === null ? text : wrapText(text, columns - INDENT.length))
  const lines = [
    ...message.thoughts.map((thought) =>
      paint.dim(isWhole ? indented(thoughtText(thought)) : thoughtLine(thought, columns)),
    ),
    ...message.content.map((part) => prose(partText(part))),
    ...message.attachments.map(({ path, text }) =>
      paint.dim(
        `${CALL_INDENT}+ ${attachmentLine(path, text)}${isWhole ? `\n${indented(escapeControls(text), BELOW_CALL)}` : ''}`,
      ),
    ),
    ...message.toolCalls.flatMap((call) => callLines(call, page)),
    ...(isWhole ? tokenLine(message, paint) : []),
  ]
  return lines.filter((line) => line.trim() !== '').join('\n')
}

function thoughtLine({ subject, description }: Thought, columns: number | null): string {
  const line = `${INDENT}(${escapeLine(subject || description)})`
  return columns === null ? line : fitWidth(line, columns)
}

function thoughtText({ subject, description }: Thought): string {
  return escapeControls([subject, description].filter((text) => text !== '').join('\n'))
}

const TOOL_WIDTH = 10
const TARGET_WIDTH = 30

/** `ok Edit src/cart.ts +1 -1`; for a failed call also its message, or with `isWhole` its arguments and result. */
function callLines(call: ToolCall, { paint, columns, isWhole }: Page): string[] {
  const what = call.description ?? (call.args === null ? '' : (JSON.stringify(call.args) ?? ''))
  const sign = call.failed ? 'x ' : call.status === 'success' ? 'ok' : '- '
  const name = padWidth(escapeLine(toolLabel(call.name)), TOOL_WIDTH, 'right')
  const end = endText(call)
  const before = `${CALL_INDENT}${sign}  ${name}  `
  const room = columns === null ? null : Math.max(columns - displayWidth(before) - end.length - 2, 20)
  const target = padWidth(
    room === null ? escapeLine(what) : fitWidth(escapeLine(what), room),
    TARGET_WIDTH,
    'right',
  )
  const line = `${before}${end === '' ? target.trimEnd() : `${target}  ${end}`}`
  const said = call.failed && !isWhole ? tellingLine(resultText(call)) : null
  const below = said === null ? [] : [`${BELOW_CALL}${escapeLine(said)}`]
  return [
    call.failed ? paint.red(line) : line,
    ...below.map((text) => (columns === null ? text : fitWidth(text, columns))),
    ...(isWhole ? wholeCall(call, paint) : []),
  ]
}

/** How a call ended, if its sign does not show it: lines changed, exit code, what became of a failure. */
function endText(call: ToolCall): string {
  if (call.display?.kind === 'diff' && !call.failed)
    return `+${call.display.linesAdded} -${call.display.linesRemoved}`
  // A failing command has a success status: only its exit code shows the failure.
  const status = call.failed && call.status === 'success' ? `exit ${call.exitCode}` : call.status
  const shown = [...(status === 'success' ? [] : [status]), ...fateWords(call)]
  return escapeLine(shown.join(', '))
}

/** Arguments and result of a call, and the names of pictures and files in the result. */
function wholeCall(call: ToolCall, paint: Paint): string[] {
  const texts = [
    escapeControls(JSON.stringify(call.args, null, 2) ?? ''),
    escapeControls(resultText(call)),
    ...call.extraParts.map(partText),
  ]
  return texts.filter((text) => text !== '').map((text) => paint.dim(indented(text, BELOW_CALL)))
}

function indented(text: string, indent = INDENT): string {
  return text.trimEnd().replace(/^(?=.)/gm, indent)
}

function partText(part: Part): string {
  switch (part.kind) {
    case 'text':
      return escapeControls(part.text)
    case 'code':
      return escapeControls([part.code, part.output].filter((text) => text !== null).join('\n'))
    case 'unknown':
      return escapeControls(JSON.stringify(part.json))
    default:
      return `[${part.kind} ${escapeLine(part.mimeType)}${part.sizeBytes === null ? '' : `, ${formatSize(part.sizeBytes)}`}]`
  }
}

function attachmentLine(path: string, text: string): string {
  return `${path === '' ? 'context' : escapeLine(path)}, ${formatSize(Buffer.byteLength(text))}`
}

function tokenLine({ usage, cost, billedIn }: Message, paint: Paint): string[] {
  if (billedIn !== undefined) return [paint.dim(`${INDENT}counted in ${escapeLine(billedIn)}`)]
  if (usage === null) return []
  const { input, cached, output, thoughts, tool } = usage
  const figures = [
    `${formatCount(input)} in`,
    ...(cached > 0 ? [`${formatCount(cached)} cached`] : []),
    `${formatCount(output)} out`,
    ...(thoughts > 0 ? [`${formatCount(thoughts)} thoughts`] : []),
    ...(tool > 0 ? [`${formatCount(tool)} tool`] : []),
    formatColumnCost(cost),
  ]
  return [paint.dim(`${INDENT}${figures.join(', ')}`)]
}

type EditStep = Extract<ChangeStep, { kind: 'edit' }>
type CommandStep = Extract<ChangeStep, { kind: 'command' }>

/** Edits and commands of a session by turn, piece by piece. */
export function* printChanges(
  { turns, files, counts }: SessionChanges,
  isColorful: boolean,
): Generator<string> {
  const paint = createPaint(isColorful)
  const { linesAdded, linesRemoved, commands, failedCommands } = counts
  const failed = failedCommands === 0 ? '' : ` (${failedCommands} failed)`
  yield `${formatPlural(files.length, 'file')}, +${linesAdded} -${linesRemoved}, ${formatPlural(commands, 'command')}${failed}\n`
  for (const { number, prompt, timestamp, steps } of turns) {
    const [line = ''] = prompt.trim().split('\n')
    const head =
      number === 0 ? 'Before the first prompt' : `[${number}] ${formatColumnTime(timestamp)}  ${line}`
    yield `\n${paint.bold(escapeLine(head))}\n`
    for (const step of steps) yield step.kind === 'edit' ? editText(step, paint) : commandText(step, paint)
  }
  yield `\n${NOT_TRACKED.replace('’', "'")}\n`
}

function editText(step: EditStep, paint: Paint): string {
  const { name, lines, diff } = step
  const size = lines === null ? '' : `  +${lines.linesAdded} -${lines.linesRemoved}`
  const head = `  ${clockOf(step)}  edit  ${name}${size}  ${editStateText(step)}${rewound(step)}`
  const hunks = diff === null || diff.text === '' ? '' : `${indentedChange(diff.text, paint)}\n`
  return `${escapeLine(head)}\n${hunks}${diff?.isCut ? '            (cut)\n' : ''}`
}

function commandText(step: CommandStep, paint: Paint): string {
  const isFailed = step.state === 'failed'
  const sign = isFailed ? 'x   ' : step.state === 'worked' ? 'ok  ' : '-   '
  const state = step.state === 'worked' ? '' : `  ${commandStateText(step)}`
  const head = escapeLine(`  ${clockOf(step)}  ${sign}  ${step.command}${state}${rewound(step)}`)
  const notes = [...failureNotes(step, formatColumnClock), ...(step.said === null ? [] : [step.said])]
  return [
    isFailed ? paint.red(head) : head,
    ...notes.map((note) => escapeLine(`            ${note}`)),
    '',
  ].join('\n')
}

function clockOf({ timestamp }: ChangeStep): string {
  return timestamp === null ? '--:--:--' : formatColumnClock(timestamp)
}

function rewound({ superseded }: ChangeStep): string {
  return superseded === 'rewound' || superseded === 'replaced' ? `  [${superseded}]` : ''
}

function indentedChange(hunks: string, paint: Paint): string {
  return escapeControls(hunks)
    .split('\n')
    .map((line) => `            ${line.startsWith('@@') ? paint.dim(line) : line}`)
    .join('\n')
}

function keptLine(session: SessionDetail['session'], seen: string): string {
  const from = addedFrom(session)
  if (from !== null)
    return `Added to the archive from the file ${escapeLine(from)}, ${formatColumnTime(seen)}; it was never in the Gemini folder.`
  const by = session.deletedBy === null ? '' : ', probably by Gemini CLI'
  return `Deleted${by}, last seen ${formatColumnTime(seen)}; this is the archived copy.`
}
