import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import type { Compression } from '../../model/turn.ts'
import { isModelCall } from '../messages/message-kinds.ts'
import { messageText } from '../messages/message-text.ts'

/**
 * Where the context was compressed: an injected snapshot (0.44+), the empty notice (0.18+), or a segment that
 * `/compress` began (0.18 to 0.24). Marks without a model call between them tell of one compression.
 */
export function findCompressions({ messages, segments }: Session): Compression[] {
  const splits = new Set(segments.filter(({ reason }) => reason === 'compress').map((s) => s.firstOffset))
  const compressions: Compression[] = []
  let inputBefore: number | null = null
  let open: Compression | null = null
  for (const [offset, message] of messages.entries()) {
    if (splits.has(offset) || isMark(message)) {
      if (open !== null) continue
      open = { ...firstAfter(messages, offset), inputBefore, inputAfter: null }
      compressions.push(open)
    } else if (isModelCall(message) && message.usage !== null) {
      inputBefore = message.usage.input
      if (open !== null) open.inputAfter = inputBefore
      open = null
    }
  }
  return compressions
}

function isMark(message: Message): boolean {
  if (message.copyOf !== null) return false
  if (message.type === 'info') return isEmptyNotice(message)
  if (message.type !== 'user' || message.origin !== 'injected') return false
  const texts = [messageText(message), ...message.attachments.map((attachment) => attachment.text)]
  return texts.some((text) => text.trimStart().startsWith('<state_snapshot>'))
}

function isEmptyNotice(message: Message): boolean {
  return message.content.every((part) => part.kind === 'text' && part.text.trim() === '')
}

/** An empty notice closes what was compressed; a snapshot or a new segment opens what came of it. */
function firstAfter(messages: readonly Message[], offset: number) {
  const mark = messages[offset]
  const isClosing = mark?.type === 'info' && isEmptyNotice(mark) && messages[offset + 1] !== undefined
  const at = isClosing ? offset + 1 : offset
  const first = messages[at]
  return { messageKey: first?.key ?? '', offset: at, timestamp: mark?.timestamp ?? first?.timestamp ?? null }
}
