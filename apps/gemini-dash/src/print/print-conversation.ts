import type { SessionDetail } from '@gemini-dash/api'
import {
  formatColumnCost,
  formatColumnTime,
  formatCount,
  formatSize,
  formatUsage,
} from '@gemini-dash/api/figures'
import { toolLabel } from '@gemini-dash/api/tool-label'
import type { Message, Part, ToolCall, Turn } from 'gemini-sessions'
import { escapeControls, escapeLine } from './escape-controls.ts'
import type { Paint } from './paint.ts'
import { createPaint } from './paint.ts'

/** A conversation to read: what was said in full, thoughts by their subjects, a line for each tool call. */
export function printConversation(detail: SessionDetail, messages: Message[], isColorful: boolean): string {
  const paint = createPaint(isColorful)
  const drawn = new Set(detail.drawnKeys)
  const blocks = turnsOf(detail, messages).flatMap(({ messages, failure }) => [
    ...messages
      .filter((message) => !isJoined(message))
      .map((message) =>
        messageBlock(message, paint, { fate: fateOf(message, failure), isDrawn: drawn.has(message.key) }),
      ),
    ...(failure === null ? [] : [paint.red(escapeLine(failure.text))]),
  ])
  return `${[header(detail, paint), ...blocks].join('\n\n')}\n`
}

interface PrintedTurn {
  messages: Message[]
  failure: Turn['failure']
}

/** What came since the outline was made stands in its last turn. */
function turnsOf({ outline, session }: SessionDetail, messages: Message[]): PrintedTurn[] {
  return outline.map(({ firstOffset, failure }, index) => ({
    messages: messages.slice(firstOffset, outline[index + 1]?.firstOffset),
    // of a session that is being written only a notice tells: the answer may yet come
    failure: session.live && failure?.noticeKey == null ? null : failure,
  }))
}

/** What became of a message that the CLI holds no more; what went with a failed request, no person took back. */
function fateOf({ superseded }: Message, failure: Turn['failure']): Message['superseded'] {
  return superseded === 'aborted' && failure !== null ? null : superseded
}

/** Results stand with their calls; of the turn that brought them nothing is left to print. */
function isJoined({ origin, content, attachments, toolCalls }: Message): boolean {
  return origin === 'tool-result' && [content, attachments, toolCalls].every((list) => list.length === 0)
}

function header({ session }: SessionDetail, paint: Paint): string {
  const models = session.models?.map(({ name }) => name).join(', ')
  return [
    paint.bold(escapeLine(session.title)),
    escapeLine(
      `${session.project.path ?? session.project.name}  ${formatColumnTime(session.startTime)}  ${models ?? ''}`,
    ),
    `${formatUsage(session.usage)} tokens  ${formatColumnCost(session.cost)}  session ${escapeLine(session.key)}`,
    ...(session.buried
      ? ['The CLI no longer shows this conversation; this is the last that it recorded.']
      : []),
  ].join('\n')
}

function messageBlock(
  message: Message,
  paint: Paint,
  { fate, isDrawn }: { fate: string | null; isDrawn: boolean },
): string {
  const lines = [
    headline(message, paint, fate),
    ...message.thoughts.map((thought) =>
      paint.dim(`  (${escapeLine(thought.subject || thought.description)})`),
    ),
    ...message.content.map(partText),
    ...message.attachments.map(({ path, text }) => paint.dim(`  + ${attachmentLine(path, text)}`)),
    ...message.toolCalls.map((call) => toolLine(call, paint)),
    ...tokenLine(message, paint),
  ]
  const block = lines.filter((line) => line !== '').join('\n')
  return fate === null || isDrawn ? block : paint.dim(block)
}

const SPEAKER: Record<Message['origin'], string> = {
  human: 'You',
  model: 'Gemini',
  'tool-result': 'Tool result',
  injected: 'Injected by the CLI',
  cli: 'Gemini CLI',
}

function headline(message: Message, paint: Paint, fate: string | null): string {
  const speaker = message.type === 'error' ? paint.red('Error') : paint.bold(SPEAKER[message.origin])
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
  return `${line}  ${call.failed ? paint.red(`[${escapeLine(end)}]`) : paint.dim(`[${escapeLine(end)}]`)}`
}

function tokenLine({ usage, cost }: Message, paint: Paint): string[] {
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
