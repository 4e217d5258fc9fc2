import type { ToolOutput } from '../../model/tool-output.ts'

/** Characters of text in a tool's output; pictures have none. */
export function outputLength(output: ToolOutput): number {
  switch (output.kind) {
    case 'text':
    case 'markdown':
    case 'error':
      return output.text.length
    case 'diff':
      return output.fileDiff.length
    case 'todos':
      return sum(output.todos.map((todo) => todo.description))
    case 'ansi':
      return sum(output.lines.map((line) => line.map((token) => token.text).join('')))
    case 'search':
      return output.summary.length + sum(output.matches.map((match) => match.filePath + match.line))
    case 'list':
      return output.summary.length + sum(output.files)
    case 'subagent':
      return (output.result ?? '').length
    case 'unknown':
      return (JSON.stringify(output.json) ?? '').length
    case 'image':
    case 'empty':
      return 0
  }
}

function sum(texts: readonly string[]): number {
  return texts.reduce((length, text) => length + text.length, 0)
}
