import type { ContextKind } from '../../model/insights/context-xray.ts'
import type { Message } from '../../model/message.ts'
import type { Part } from '../../model/part.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import { oneLine, promptLine } from '../messages/message-text.ts'
import { estimateTokens, PICTURE_TOKENS } from './estimate-tokens.ts'
import { weighOutput } from './weigh-output.ts'

/** A piece that a message adds to every prompt after it. */
export interface ContextPiece {
  kind: ContextKind
  /** Tool name, path, or ''. */
  name: string
  label: string
  /** Position among the calls of the message; null for what is no call's. */
  call: number | null
  /** Estimated by length. */
  tokens: number
}

const MAX_LABEL_LENGTH = 80

/** What a message, with all its texts, adds to the context. Notices are never sent; thoughts are not sent again. */
export function weighMessage(message: Message, { hasLabels = true } = {}): ContextPiece[] {
  if (message.type !== 'user' && message.type !== 'gemini') return []
  const pieces =
    message.origin === 'model'
      ? [
          said(message, 'answer', false),
          ...message.toolCalls.flatMap((call, index) => weighCall(call, index, hasLabels)),
        ]
      : [said(message, spokenKind(message), hasLabels), ...message.attachments.map(weighAttachment)]
  return pieces.filter(({ tokens }) => tokens > 0)
}

/** What comes with results is part of them; what the CLI says in the user's or the model's name sets the scene. */
function spokenKind({ origin }: Message): ContextKind {
  if (origin === 'human') return 'prompt'
  return origin === 'tool-result' ? 'tool-result' : 'session-context'
}

function said(message: Message, kind: ContextKind, hasLabel: boolean): ContextPiece {
  const label = kind === 'prompt' && hasLabel ? promptLine(message, MAX_LABEL_LENGTH) : ''
  return { kind, name: '', label, call: null, tokens: sum(message.content.map(weighPart)) }
}

function weighAttachment({ path, text }: Message['attachments'][number]): ContextPiece {
  return {
    kind: path === '' ? 'session-context' : 'file',
    name: path,
    label: '',
    call: null,
    tokens: estimateTokens(text),
  }
}

/** Both the call and its result are sent under the name of the tool. */
function weighCall(
  { name, args, description, output, extraParts }: ToolCall,
  call: number,
  hasLabel: boolean,
): ContextPiece[] {
  const place = { name, label: hasLabel ? oneLine(description ?? '', MAX_LABEL_LENGTH) : '', call }
  const asked = estimateTokens(name) + estimateTokens(json(args))
  const answered = weighOutput(output) + sum(extraParts.map(weighPart))
  return [
    { kind: 'tool-call', ...place, tokens: asked },
    { kind: 'tool-result', ...place, tokens: answered === 0 ? 0 : estimateTokens(name) + answered },
  ]
}

function weighPart(part: Part): number {
  switch (part.kind) {
    case 'text':
      return estimateTokens(part.text)
    case 'code':
      return estimateTokens(part.code) + estimateTokens(part.output ?? '')
    case 'unknown':
      return estimateTokens(json(part.json))
    case 'image':
    case 'audio':
    case 'file':
      return PICTURE_TOKENS
  }
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
