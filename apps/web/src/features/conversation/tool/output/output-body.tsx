import type { ToolCall, ToolOutput } from 'gemini-sessions'
import { JsonTree } from '../../../../content/code/json-tree.tsx'
import { StoredImage } from '../../../../content/neighbours/stored-image.tsx'
import { textArgument } from '../call/tool-argument.ts'
import { OutputAnsi } from './output-ansi.tsx'
import { OutputDiff } from './output-diff.tsx'
import { OutputFiles } from './output-files.tsx'
import { OutputMarkdown } from './output-markdown.tsx'
import { OutputSearch } from './output-search.tsx'
import { OutputSubagent } from './output-subagent.tsx'
import { OutputText } from './output-text.tsx'
import { OutputTodos } from './output-todos.tsx'

interface Props {
  id: string
  call: ToolCall
  output: ToolOutput
  /** Takes the tool's own words off the whole of a text that came cut. */
  readWhole?: ((text: string) => string) | undefined
}

/** Draws any output by its kind. What no version is known to write is shown as data. */
export function OutputBody({ id, call, output, readWhole }: Props) {
  switch (output.kind) {
    case 'text':
    case 'error':
      return <OutputText id={id} output={output} readWhole={readWhole} />
    case 'markdown':
      return <OutputMarkdown id={id} output={output} readWhole={readWhole} />
    case 'ansi':
      return <OutputAnsi id={id} output={output} />
    case 'diff':
      return <OutputDiff id={id} output={output} />
    case 'todos':
      return <OutputTodos output={output} />
    case 'search':
      return <OutputSearch id={id} output={output} pattern={textArgument(call, 'pattern', 'query')} />
    case 'list':
      return <OutputFiles id={id} output={output} />
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
