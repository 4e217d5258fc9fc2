import './output-todos.css'
import type { ToolCall, ToolOutput } from 'gemini-sessions'
import { Ban, Circle, CircleCheck, CircleDot, type LucideIcon } from 'lucide-react'
import { useMemo } from 'react'
import { AnsiText } from '../../../../content/ansi/ansi-text.tsx'
import { linesFromTokens } from '../../../../content/ansi/lines-from-tokens.ts'
import { JsonTree } from '../../../../content/code/json-tree.tsx'
import { StoredImage } from '../../../../content/neighbours/stored-image.tsx'
import { MarkedText } from '../../../../content/text/marked-text.tsx'
import { classNames } from '../../../../lib/browser/class-names.ts'
import { byteSize } from '../../../../lib/figures/byte-size.ts'
import { formatPlural } from '../../../../lib/figures/format.ts'
import { ScrollRegion } from '../../../../ui/frames/scroll-region.tsx'
import { Icon } from '../../../../ui/signs/icon.tsx'
import { useOpen } from '../../open/open-store.ts'
import { textArgument } from '../call/tool-argument.ts'
import { MOST_AT_ONCE } from './most-at-once.ts'
import { OutputDiff } from './output-diff.tsx'
import { OutputFiles } from './output-files.tsx'
import { OutputFooter } from './output-footer.tsx'
import { OutputMarkdown } from './output-markdown.tsx'
import { OutputSearch } from './output-search.tsx'
import { OutputSubagent } from './output-subagent.tsx'
import { OutputText } from './output-text.tsx'
import { type ChangedTodo, todoChanges } from './todo-changes.ts'
import { useWholeOutput } from './use-whole-output.ts'

const ICONS: Record<string, LucideIcon> = {
  completed: CircleCheck,
  in_progress: CircleDot,
  cancelled: Ban,
  blocked: Ban,
}

const FIRST_LINES = 20

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

/** The screen of a terminal, as newer versions store it. */
function OutputAnsi({ id, output: carried }: { id: string; output: Extract<ToolOutput, { kind: 'ansi' }> }) {
  const [isAll, setAll] = useOpen(`${id}/all`)
  const { output, state } = useWholeOutput(carried, isAll)
  const lines = useMemo(() => linesFromTokens(output.lines), [output.lines])
  const text = useMemo(() => lines.map((line) => line.map((span) => span.text).join('')).join('\n'), [lines])
  const shown = lines.slice(0, isAll ? MOST_AT_ONCE.terminal : FIRST_LINES)
  const isCut = output.cut !== undefined
  const canShowMore = !isAll && (shown.length < lines.length || isCut)
  return (
    <>
      <ScrollRegion label="Output" className="terminal">
        <pre dir="ltr">
          <AnsiText lines={shown} />
        </pre>
      </ScrollRegion>
      {(lines.length > 3 || isCut) && (
        <OutputFooter
          shown={shown.length}
          total={isCut ? null : lines.length}
          sizeBytes={output.cut?.sizeBytes ?? byteSize(text)}
          onShowMore={canShowMore || state === 'loading' ? () => setAll(true) : null}
          state={state}
          copyText={text}
        />
      )}
    </>
  )
}

/** A todo list with the state of each task in an icon and a word, and what changed since the list before. */
function OutputTodos({ output }: { output: Extract<ToolOutput, { kind: 'todos' }> }) {
  const { todos, previous } = output
  if (todos.length === 0 && previous === undefined) return <p className="output-remark">The list is empty.</p>
  const done = todos.filter(({ status }) => status === 'completed').length
  return (
    <div className="todos">
      <p className="todo-progress">
        <progress value={done} max={Math.max(todos.length, 1)} aria-label="Tasks done" />
        {done} of {formatPlural(todos.length, 'task')} done
      </p>
      <ul>
        {todoChanges(todos, previous).map((todo) => (
          <Todo key={todo.key} todo={todo} />
        ))}
      </ul>
    </div>
  )
}

function Todo({ todo }: { todo: ChangedTodo }) {
  const { description, status, depth, change } = todo
  const isKnown = Object.hasOwn(ICONS, status)
  const state = change === 'removed' ? 'cancelled' : isKnown ? status : 'pending'
  return (
    <li className={classNames('todo', state, change !== null && 'changed', depth > 0 && `depth-${depth}`)}>
      <Icon of={(isKnown ? ICONS[status] : undefined) ?? Circle} />
      <span dir="auto">
        <MarkedText text={description} />
      </span>
      <span className="todo-word">{wordOf(change, status)}</span>
    </li>
  )
}

function wordOf(change: ChangedTodo['change'], status: string): string {
  const word = status.replaceAll('_', ' ')
  if (change === 'removed') return 'dropped'
  if (change === 'added') return `new, ${word}`
  return change === 'moved' ? `now ${word}` : word
}
