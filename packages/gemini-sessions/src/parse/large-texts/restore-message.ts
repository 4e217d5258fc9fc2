import type { Message } from '../../model/message.ts'
import type { Part } from '../../model/part.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import type { ToolOutput } from '../../model/tool-output.ts'
import { isRawObject } from '../../raw/raw-object.ts'
import { countDiffLines } from '../lift/calls/count-diff-lines.ts'
import { toAnsiLines } from '../lift/calls/to-ansi-lines.ts'
import { toSizeBytes } from '../lift/parts/to-media-part.ts'
import { replaceStandIns, type TextName } from './stand-in.ts'

/** Tells the value that a stand-in stands for; undefined where it is another file's. */
export type ReadText = (name: TextName) => unknown

/** The message with its large texts in their places again. */
export function restoreMessage(message: Message, read: ReadText): Message {
  return {
    ...message,
    content: message.content.map((part) => restorePart(part, read)),
    toolCalls: message.toolCalls.map((call) => restoreCall(call, read)),
  }
}

function restoreCall(call: ToolCall, read: ReadText): ToolCall {
  return {
    ...call,
    output: restoreOutput(call.output, read),
    display: call.display === null ? null : restoreOutput(call.display, read),
    extraParts: call.extraParts.map((part) => restorePart(part, read)),
  }
}

function restorePart(part: Part, read: ReadText): Part {
  switch (part.kind) {
    case 'text':
      return { ...part, text: restoreText(part.text, read) }
    case 'image':
    case 'audio':
    case 'file': {
      const data = restoreNullable(part.data, read)
      return data === null ? part : { ...part, data, sizeBytes: toSizeBytes(data) }
    }
    case 'unknown':
      return { ...part, json: restoreJson(part.json, read) }
    case 'code':
      return part
  }
}

function restoreOutput(output: ToolOutput, read: ReadText): ToolOutput {
  switch (output.kind) {
    case 'text':
    case 'markdown':
    case 'error':
      return { ...output, text: restoreText(output.text, read) }
    case 'diff': {
      const fileDiff = restoreText(output.fileDiff, read)
      return {
        ...output,
        fileDiff,
        originalContent: restoreNullable(output.originalContent, read),
        newContent: restoreNullable(output.newContent, read),
        // A rebuilt one is counted by its two versions, which are arguments.
        ...(fileDiff === output.fileDiff ? {} : countDiffLines(fileDiff)),
      }
    }
    case 'ansi':
      return restoreTerminal(output, read)
    case 'unknown':
      return { ...output, json: restoreJson(output.json, read) }
    case 'todos':
    case 'search':
    case 'list':
    case 'subagent':
    case 'image':
    case 'empty':
      return output
  }
}

function restoreTerminal(output: ToolOutput & { kind: 'ansi' }, read: ReadText): ToolOutput {
  let lines: unknown
  replaceStandIns(output.lines[0]?.[0]?.text ?? '', (name) => {
    lines = read(name)
    return undefined
  })
  return toAnsiLines(lines) ?? output
}

function restoreText(text: string, read: ReadText): string {
  return replaceStandIns(text, (name) => {
    const whole = read(name)
    return typeof whole === 'string' ? whole : undefined
  })
}

function restoreNullable(text: string | null, read: ReadText): string | null {
  return text === null ? null : restoreText(text, read)
}

function restoreJson(value: unknown, read: ReadText): unknown {
  if (typeof value === 'string') return restoreText(value, read)
  if (Array.isArray(value)) return value.map((item) => restoreJson(item, read))
  if (!isRawObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, restoreJson(item, read)]))
}
