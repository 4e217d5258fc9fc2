import { FATE_WORDS } from '@gemini-dash/api/fate-words'
import type { Message, Origin, ToolCall, ToolOutput } from 'gemini-sessions'

/** Who made a message, wherever a conversation is written. */
export const SPEAKERS: Readonly<Record<Origin, string>> = {
  human: 'You',
  model: 'Gemini',
  'tool-result': 'Tool result',
  injected: 'Injected by the CLI',
  cli: 'Gemini CLI',
}

/** What a call gave, as plain text: of an edit what it changed, else what the model got back. '' where there is nothing. */
export function resultText({ display, output }: ToolCall): string {
  return outputText(display?.kind === 'diff' ? display : output)
}

/** What became of a failed call, as one more word behind how it ended; none for every other call. */
export function fateWords({ fate }: ToolCall): string[] {
  return fate === undefined ? [] : [FATE_WORDS[fate.kind]]
}

/** What a tool gave back, as plain text; '' where there is none. */
function outputText(output: ToolOutput): string {
  switch (output.kind) {
    case 'text':
    case 'markdown':
    case 'error':
      return output.text
    case 'diff':
      return output.fileDiff === '' ? (output.newContent ?? '') : output.fileDiff
    case 'ansi':
      return output.lines.map((line) => line.map(({ text }) => text).join('')).join('\n')
    case 'search':
      return [
        output.summary,
        ...output.matches.map(({ filePath, lineNumber, line }) => `${filePath}:${lineNumber ?? ''}: ${line}`),
      ].join('\n')
    case 'list':
      return [output.summary, ...output.files, ...output.skipped.map((file) => `skipped: ${file}`)].join('\n')
    case 'todos':
      return output.todos.map(({ status, description }) => `[${status}] ${description}`).join('\n')
    case 'subagent':
      return output.result ?? ''
    case 'image':
      return `[image, ${output.mimeType}]`
    case 'unknown':
      return JSON.stringify(output.json, null, 2) ?? ''
    case 'empty':
      return ''
  }
}

/** Where only one of output and display is written, the other needs not be examined. */
export function withResultsOnly(message: Message): Message {
  return { ...message, toolCalls: message.toolCalls.map(withResultOnly) }
}

function withResultOnly(call: ToolCall): ToolCall {
  if (call.display?.kind !== 'diff') return { ...call, display: null }
  const { fileDiff } = call.display
  const display =
    fileDiff === '' ? call.display : { ...call.display, originalContent: null, newContent: null }
  return { ...call, display, output: { kind: 'empty' } }
}
