import type { Message, Part, ToolOutput } from 'gemini-sessions'
import type { OpenedSession } from './opened-session.ts'

/** An image, file or text of a message, in full. */
interface PartContent {
  mimeType: string
  bytes: Uint8Array
}

/** `of`: `output`, `display`, or `extra-<n>` for the n-th part beside the result. In full, uncut. */
export async function toolOutput(
  { messages, shelved }: OpenedSession,
  { callId, of }: { callId: string; of: string },
): Promise<ToolOutput | Part | null> {
  const holding = messages.filter(({ toolCalls }) => toolCalls.some(({ id }) => id === callId)).slice(0, 1)
  const [message] = await shelved.restore(holding)
  return message === undefined ? null : outputOf(message, callId, of)
}

export function outputOf(message: Message, callId: string, of: string): ToolOutput | Part | null {
  const call = message.toolCalls.find(({ id }) => id === callId)
  if (call === undefined) return null
  if (of === 'display') return call.display
  const extra = /^extra-(\d+)$/.exec(of)?.[1]
  return extra === undefined ? call.output : (call.extraParts[Number(extra)] ?? null)
}

export async function wholePart(
  { messages, shelved }: OpenedSession,
  { messageKey, index }: { messageKey: string; index: number },
): Promise<PartContent | null> {
  const [message] = await shelved.restore(messages.filter(({ key }) => key === messageKey))
  return message === undefined ? null : partOf(message, index)
}

export function partOf({ content }: Message, index: number): PartContent | null {
  const part = content[index]
  return part === undefined ? null : partContent(part)
}

function partContent(part: Part): PartContent | null {
  switch (part.kind) {
    case 'text':
      return { mimeType: 'text/plain; charset=utf-8', bytes: Buffer.from(part.text) }
    case 'code':
      return {
        mimeType: 'text/plain; charset=utf-8',
        bytes: Buffer.from(`${part.code}\n${part.output ?? ''}`),
      }
    case 'unknown':
      return { mimeType: 'application/json', bytes: Buffer.from(JSON.stringify(part.json) ?? 'null') }
    case 'image':
    case 'audio':
    case 'file':
      return part.data === null ? null : { mimeType: part.mimeType, bytes: Buffer.from(part.data, 'base64') }
  }
}
