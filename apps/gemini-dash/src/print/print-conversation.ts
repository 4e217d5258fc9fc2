import type { Depth, SessionDetail } from '@gemini-dash/api'
import {
  formatColumnCost,
  formatColumnTime,
  formatCount,
  formatPlural,
  formatSize,
  formatUsage,
} from '@gemini-dash/api/figures'
import { toolLabel } from '@gemini-dash/api/tool-label'
import {
  type Message,
  ownFigures,
  type Part,
  type SessionFigures,
  type Thought,
  type ToolCall,
} from 'gemini-sessions'
import { cutToDepth, type ToldMessage } from '../export/choose-messages.ts'
import { fateWords, resultText, SPEAKERS } from '../export/output-text.ts'
import { escapeControls, escapeLine } from './escape-controls.ts'
import type { Paint } from './paint.ts'
import { createPaint } from './paint.ts'

interface Look {
  isColorful: boolean
  /** null: what was said in full, thoughts by their subjects, a line for each tool call. */
  depth: Depth | null
}

/** A conversation to read, piece by piece: who it is, then what is told of it. */
export function* printConversation(
  detail: SessionDetail,
  chosen: readonly ToldMessage[],
  { isColorful, depth }: Look,
): Generator<string> {
  const paint = createPaint(isColorful)
  const drawn = new Set(detail.drawnKeys)
  yield header(detail, paint)
  for (const { message, fate, closing } of cutToDepth(chosen, depth ?? 'all')) {
    if (message !== null && !isJoined(message)) {
      const block = messageBlock(message, paint, { fate, isWhole: depth !== null })
      yield `\n\n${fate === null || drawn.has(message.key) ? block : paint.dim(block)}`
    }
    if (closing !== null) yield `\n\n${paint.red(escapeLine(closing))}`
  }
  yield '\n'
}

/** Results stand with their calls; of the turn that brought them nothing is left to print. */
function isJoined({ origin, content, attachments, toolCalls }: Message): boolean {
  return origin === 'tool-result' && [content, attachments, toolCalls].every((list) => list.length === 0)
}

function header({ session, figures }: SessionDetail, paint: Paint): string {
  const models = session.models?.map(({ name }) => name).join(', ')
  return [
    paint.bold(escapeLine(session.title)),
    escapeLine(
      `${session.project.path ?? session.project.name}  ${formatColumnTime(session.startTime)}  ${models ?? ''}`,
    ),
    `${figuresText(session.withSubagents)}  session ${escapeLine(session.key)}`,
    ...(session.subagentKeys.length === 0
      ? []
      : [`Sub-agents included; of which own: ${figuresText(ownFigures(session))}`]),
    ...copiedFromLine(session),
    ...(session.outcome === null ? [] : [escapeLine(session.outcome.text)]),
    ...(figures.failedCalls === null ? [] : [escapeLine(`Tool calls: ${figures.failedCalls.text}`)]),
    ...(session.deletedSeen === null
      ? []
      : [
          `Deleted${session.deletedBy === null ? '' : ' by Gemini CLI'}, last seen ${formatColumnTime(session.deletedSeen)}; this is what was kept.`,
        ]),
    ...(session.buried
      ? ['The CLI no longer shows this conversation; this is the last that it recorded.']
      : []),
  ].join('\n')
}

function figuresText({ usage, cost, toolCalls, failures }: SessionFigures): string {
  const failed = failures?.tools ? `, ${formatCount(failures.tools)} failed` : ''
  const calls = toolCalls === null ? [] : [`${formatPlural(toolCalls, 'tool call')}${failed}`]
  const refused = failures?.refused ? [formatPlural(failures.refused, 'refused request')] : []
  return [`${formatUsage(usage)} tokens`, formatColumnCost(cost), ...calls, ...refused].join('  ')
}

function copiedFromLine({ copiedFrom }: SessionDetail['session']): string[] {
  if (copiedFrom === null) return []
  const { sessionKey, requests } = copiedFrom
  const counted = `${formatCount(requests)} of its requests ${requests === 1 ? 'is' : 'are'} counted there`
  return [`Copied from ${escapeLine(sessionKey)}: ${counted}.`]
}

function messageBlock(
  message: Message,
  paint: Paint,
  { fate, isWhole }: { fate: string | null; isWhole: boolean },
): string {
  const lines = [
    headline(message, paint, fate),
    ...message.thoughts.map((thought) => paint.dim(isWhole ? wholeThought(thought) : thoughtLine(thought))),
    ...message.content.map(partText),
    ...message.attachments.map(({ path, text }) =>
      paint.dim(`  + ${attachmentLine(path, text)}${isWhole ? `\n${indented(text)}` : ''}`),
    ),
    ...message.toolCalls.map((call) => toolLine(call, paint) + (isWhole ? wholeCall(call, paint) : '')),
    ...tokenLine(message, paint),
  ]
  return lines.filter((line) => line !== '').join('\n')
}

function thoughtLine({ subject, description }: Thought): string {
  return `  (${escapeLine(subject || description)})`
}

function wholeThought({ subject, description }: Thought): string {
  return indented([subject, description].filter((text) => text !== '').join('\n'))
}

/** What a call was given and gave, and the names of pictures and files in its result. */
function wholeCall(call: ToolCall, paint: Paint): string {
  const texts = [JSON.stringify(call.args, null, 2) ?? '', resultText(call), ...call.extraParts.map(partText)]
  return texts.map((text) => (text === '' ? '' : `\n${paint.dim(indented(text))}`)).join('')
}

function indented(text: string): string {
  return escapeControls(text.trimEnd()).replace(/^/gm, '    ')
}

function headline(message: Message, paint: Paint, fate: string | null): string {
  const speaker = message.type === 'error' ? paint.red('Error') : paint.bold(SPEAKERS[message.origin])
  const model = message.model === null ? '' : `  ${escapeLine(message.model)}`
  return `${speaker}  ${paint.dim(formatColumnTime(message.timestamp) + model)}${fate === null ? '' : `  [${fate}]`}`
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

function toolLine(call: ToolCall, paint: Paint): string {
  const what = call.description ?? (call.args === null ? '' : (JSON.stringify(call.args) ?? ''))
  const line = escapeLine(`  > ${toolLabel(call.name)}  ${what}`)
  // A command that fails has the status of a success: only its exit code tells.
  const end = call.failed && call.status === 'success' ? `exit code ${call.exitCode}` : call.status
  if (end === 'success') return line
  const told = escapeLine(`[${[end, ...fateWords(call)].join(', ')}]`)
  return `${line}  ${call.failed ? paint.red(told) : paint.dim(told)}`
}

function tokenLine({ usage, cost, billedIn }: Message, paint: Paint): string[] {
  if (billedIn !== undefined) return [paint.dim(`  counted in ${escapeLine(billedIn)}`)]
  if (usage === null) return []
  const { input, cached, output, thoughts, tool } = usage
  const figures = [
    `${formatCount(input)} in`,
    ...(cached > 0 ? [`${formatCount(cached)} of it cached`] : []),
    `${formatCount(output)} out`,
    ...(thoughts > 0 ? [`${formatCount(thoughts)} thoughts`] : []),
    ...(tool > 0 ? [`${formatCount(tool)} tool`] : []),
    formatColumnCost(cost),
  ]
  return [paint.dim(`  ${figures.join(', ')}`)]
}
