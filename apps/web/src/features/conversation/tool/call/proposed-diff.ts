import type { ToolCall, ToolOutput } from 'gemini-sessions'
import { textArgument } from './tool-argument.ts'

type Diff = Extract<ToolOutput, { kind: 'diff' }>

/** What an edit that failed or was refused would have changed, from its arguments; null where they do not tell. */
export function proposedDiff(call: ToolCall): Diff | null {
  const filePath = textArgument(call, 'file_path', 'absolute_path')
  const before = call.name === 'replace' ? textArgument(call, 'old_string') : ''
  const after = call.name === 'replace' ? textArgument(call, 'new_string') : textArgument(call, 'content')
  if (before === '' && after === '') return null
  return {
    kind: 'diff',
    fileName: filePath.split(/[/\\]/).at(-1) ?? '',
    filePath,
    fileDiff: '',
    originalContent: before,
    newContent: after,
    linesAdded: 0,
    linesRemoved: 0,
    isNewFile: false,
    isRebuilt: true,
  }
}
