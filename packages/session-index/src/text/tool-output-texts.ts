import type { ToolCall, ToolOutput } from 'gemini-sessions'
import { stringValues } from './string-values.ts'

/**
 * What came back from a tool, as texts. The CLI's display is added where it says something else than
 * the output; its copies of whole files (diffs) and of the terminal are not.
 */
export function toolOutputTexts(call: ToolCall): string[] {
  const output = outputTexts(call.output)
  const display = call.display === null ? [] : displayTexts(call.display, output.length > 0)
  const extra = call.extraParts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  const news = [...display, ...extra].filter((text) => !output.some((known) => known.includes(text)))
  return [...output, ...news]
}

function displayTexts(display: ToolOutput, hasOutput: boolean): string[] {
  const isCopy = display.kind === 'ansi' || display.kind === 'todos'
  return hasOutput && isCopy ? [] : outputTexts(display)
}

function outputTexts(output: ToolOutput): string[] {
  return textsOf(output).filter((text) => text !== '')
}

function textsOf(output: ToolOutput): string[] {
  switch (output.kind) {
    case 'text':
    case 'markdown':
    case 'error':
      return [output.text]
    case 'todos':
      return output.todos.map((todo) => todo.description)
    case 'ansi':
      return [output.lines.map((line) => line.map((token) => token.text).join('')).join('\n')]
    case 'search':
      return [output.summary, ...output.matches.map((match) => `${match.filePath}: ${match.line}`)]
    case 'list':
      return [output.summary, ...output.files, ...output.skipped]
    case 'subagent':
      return [
        ...output.activity.flatMap((step) => [
          step.content,
          step.description ?? '',
          ...stringValues(step.args),
        ]),
        output.result ?? '',
      ]
    case 'unknown':
      return stringValues(output.json)
    case 'diff':
    case 'image':
    case 'empty':
      return []
  }
}
