import type { ToolCall, ToolOutput } from 'gemini-sessions'
import { languageOfPath } from '../../../content/highlight/language-name.ts'
import { JsonTree } from '../../../content/json-tree.tsx'
import { StoredImage } from '../../../content/stored-image.tsx'
import { OutputAnsi } from './output-ansi.tsx'
import { OutputDiff } from './output-diff.tsx'
import { OutputList } from './output-list.tsx'
import { OutputMarkdown } from './output-markdown.tsx'
import { OutputSearch } from './output-search.tsx'
import { OutputSubagent } from './output-subagent.tsx'
import { OutputText } from './output-text.tsx'
import { OutputTodos } from './output-todos.tsx'
import { numberArgument, textArgument } from './tool-argument.ts'
import { toolKind } from './tool-kind.ts'

/** Draws any output by its kind. What no version is known to write is shown as data. */
export function OutputBody({ id, call, output }: { id: string; call: ToolCall; output: ToolOutput }) {
  switch (output.kind) {
    case 'text':
      return <OutputText id={id} output={output} code={codeOf(call)} />
    case 'error':
      return <OutputText id={id} output={output} />
    case 'markdown':
      return <OutputMarkdown id={id} output={output} />
    case 'ansi':
      return <OutputAnsi id={id} output={output} />
    case 'diff':
      return <OutputDiff id={id} output={output} />
    case 'todos':
      return <OutputTodos output={output} />
    case 'search':
      return <OutputSearch id={id} output={output} pattern={textArgument(call, 'pattern', 'query')} />
    case 'list':
      return <OutputList id={id} output={output} />
    case 'subagent':
      return <OutputSubagent output={output} />
    case 'image':
      return <StoredImage {...output} />
    case 'empty':
      return <p className="output-remark">No output</p>
    case 'unknown':
      return <JsonTree value={output.json} label="Result" />
  }
}

/** A file that was read is code with the numbers of its own lines. */
function codeOf(call: ToolCall): { language: string | null; firstLine: number } | undefined {
  if (toolKind(call) !== 'read') return undefined
  const path = textArgument(call, 'file_path', 'absolute_path', 'path')
  const start = numberArgument(call, 'start_line')
  // `offset` counts lines from 0, the newer `start_line` from 1
  return { language: languageOfPath(path), firstLine: start ?? (numberArgument(call, 'offset') ?? 0) + 1 }
}
