import type { SearchField } from '@gemini-dash/api'
import { isRecordedAgain, type Message, type Part } from 'gemini-sessions'
import { stringValues } from './string-values.ts'
import { toolOutputTexts } from './tool-output-texts.ts'

/** One text of a message that can be searched. Phrases and other matches never reach from one into the next. */
export interface FieldPiece {
  field: SearchField
  text: string
  /** For arguments and output of a tool. */
  toolName: string | null
}

/**
 * Everything a message says, by kind. Copies say nothing of their own, but for further records of one message, and rows that carry tool results back only what
 * belongs to no recorded call: what they hold is found at the original and at the call.
 */
export function fieldPieces(message: Message): FieldPiece[] {
  if (message.copyOf !== null && !isRecordedAgain(message)) return []
  const pieces: FieldPiece[] = []
  const add = (field: SearchField, text: string, toolName: string | null = null) => {
    if (text !== '') pieces.push({ field, text, toolName })
  }
  const ownField = contentField(message)
  for (const part of message.content) for (const text of partTexts(part)) add(ownField, text)
  for (const attachment of message.attachments) {
    add('attachment', attachment.path)
    add('attachment', attachment.text)
  }
  for (const thought of message.thoughts) {
    add('thought', thought.subject)
    add('thought', thought.description)
  }
  for (const call of message.toolCalls) {
    for (const text of stringValues(call.args)) add('tool-args', text, call.name)
    for (const text of toolOutputTexts(call)) add('tool-output', text, call.name)
  }
  return pieces
}

/** The field of what a message itself says. */
export function contentField(message: Message): SearchField {
  if (message.origin === 'tool-result') return 'tool-output'
  if (message.type === 'gemini') return 'answer'
  if (message.type !== 'user') return 'notice'
  return message.origin === 'injected' ? 'attachment' : 'prompt'
}

function partTexts(part: Part): string[] {
  switch (part.kind) {
    case 'text':
      return [part.text]
    case 'code':
      return [part.code, part.output ?? '']
    case 'unknown':
      return stringValues(part.json)
    case 'image':
    case 'audio':
    case 'file':
      return part.uri === null ? [] : [part.uri]
  }
}
