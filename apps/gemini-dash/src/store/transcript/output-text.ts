import type { ToolOutput } from 'gemini-sessions'

/** What a tool gave back, as plain text; '' where there is none. */
export function outputText(output: ToolOutput): string {
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
