import './tool.css'
import { toolLabel } from '@gemini-dash/api/tool-label'
import type { ToolCall, ToolOutput } from 'gemini-sessions'
import {
  Ban,
  Check,
  Circle,
  CircleCheck,
  CircleDashed,
  CircleDot,
  Lightbulb,
  type LucideIcon,
  Wrench,
  X,
} from 'lucide-react'
import { useMemo } from 'react'
import { AnsiText, linesFromTokens } from '../../../content/ansi.tsx'
import { JsonTree } from '../../../content/json-tree.tsx'
import { LazyBlocks } from '../../../content/lazy-blocks.tsx'
import { MachineText, MarkedText, ToolMatchContext } from '../../../content/machine-text.tsx'
import { Markdown } from '../../../content/markdown.tsx'
import { StoredImage } from '../../../content/stored-files.tsx'
import { classNames } from '../../../lib/browser.ts'
import { byteSize, formatCount, formatPlural } from '../../../lib/figures.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { useOpen } from '../open-store.ts'
import { type FileTreeFolder, FileTreeView, fileTree, patternWords } from './matches.tsx'
import {
  OutputDiff,
  OutputFiles,
  OutputFooter,
  OutputMarkdown,
  OutputText,
  useMostAtOnce,
  useWholeOutput,
} from './output-text.tsx'
import { searchResult } from './results.ts'
import { textArgument } from './tool-argument.ts'
import { agentEnding } from './tool-outcome.ts'

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
  /** Strips the tool's own framing from the full text of a truncated output. */
  readWhole?: ((text: string) => string) | undefined
}

/** Draws any output by its kind. Unknown kinds are shown as data. */
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

/** A terminal screen, as newer versions store it. */
function OutputAnsi({ id, output: carried }: { id: string; output: Extract<ToolOutput, { kind: 'ansi' }> }) {
  const most = useMostAtOnce()
  const [isAll, setAll] = useOpen(`${id}/all`)
  const { output, state } = useWholeOutput(carried, isAll)
  const lines = useMemo(() => linesFromTokens(output.lines), [output.lines])
  const text = useMemo(() => lines.map((line) => line.map((span) => span.text).join('')).join('\n'), [lines])
  const shown = lines.slice(0, isAll ? most.terminal : FIRST_LINES)
  const isCut = output.cut !== undefined
  const canShowMore = !isAll && (shown.length < lines.length || isCut)
  return (
    <>
      <ScrollRegion label="Output" className="terminal">
        <pre dir="ltr">
          <AnsiText lines={shown} />
        </pre>
      </ScrollRegion>
      {(lines.length > FIRST_LINES || isCut) && (
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

/** A todo list: the state of each task as icon and word, and what changed since the previous list. */
function OutputTodos({ output }: { output: Extract<ToolOutput, { kind: 'todos' }> }) {
  const { todos, previous } = output
  if (todos.length === 0 && previous === undefined) return <p className="output-remark">The list is empty.</p>
  const done = todos.filter(({ status }) => status === 'completed').length
  return (
    <div className="todos">
      <p className="todo-progress meta">
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
      <span className="todo-word meta">{wordOf(change, status)}</span>
    </li>
  )
}

function wordOf(change: ChangedTodo['change'], status: string): string {
  const word = status.replaceAll('_', ' ')
  if (change === 'removed') return 'dropped'
  if (change === 'added') return `new, ${word}`
  return change === 'moved' ? `now ${word}` : word
}

const LINE_HEIGHT_PX = 20

const FIRST_SEARCH_LINES = 200
/** Up to this many files are listed with their full paths; more are arranged in folders. */
const FLAT_FILES = 6
const OPEN_FOLDER_FILES = 20

interface OutputSearchProps {
  id: string
  output: Extract<ToolOutput, { kind: 'search' | 'text' }>
  /** The search pattern, highlighted where possible. */
  pattern: string
}

/** Search results by folder and file. */
export function OutputSearch({ id, output: carried, pattern }: OutputSearchProps) {
  const most = useMostAtOnce()
  const [isAll, setAll] = useOpen(`${id}/all`)
  const { output, state } = useWholeOutput(carried, isAll)
  const search = useMemo(() => (output.kind === 'search' ? output : searchResult(output.text)), [output])
  const matches = search?.matches ?? []
  const shown = useMemo(
    () => matches.slice(0, isAll ? most.search : FIRST_SEARCH_LINES),
    [matches, isAll, most],
  )
  const groups = useMemo(() => groupMatches(shown), [shown])
  const isCut = output.cut !== undefined
  if (matches.length === 0) return <p className="output-remark in-terminal">Nothing was found.</p>
  return (
    <div className="output">
      {isLimited(search?.summary) && (
        <p className="output-remark">There may be more: the search ended at its limit.</p>
      )}
      <ScrollRegion label="Matches" className="matches">
        <Groups id={id} groups={groups} pattern={pattern} />
      </ScrollRegion>
      <OutputFooter
        shown={shown.length}
        total={isCut ? null : matches.length}
        sizeBytes={output.cut?.sizeBytes ?? matches.reduce((sum, match) => sum + match.line.length, 0)}
        onShowMore={isAll || (shown.length === matches.length && !isCut) ? null : () => setAll(true)}
        state={state}
        copyText={matches
          .map((match) => `${match.filePath}:${match.lineNumber ?? ''}:${match.line}`)
          .join('\n')}
        copyLabel={`Copy ${formatPlural(matches.length, 'line')}`}
      />
    </div>
  )
}

function Groups({ id, groups, pattern }: { id: string; groups: MatchGroup[]; pattern: string }) {
  const byPath = useMemo(() => new Map(groups.map((group) => [group.filePath, group])), [groups])
  const paths = useMemo(() => [...byPath.keys()], [byPath])
  const tree = useMemo(() => fileTree(paths), [paths])
  const file = (group: MatchGroup | undefined, name: string) =>
    group && (
      <MatchedFile
        id={`${id}/file ${group.filePath}`}
        key={group.filePath}
        name={name}
        group={group}
        pattern={pattern}
      />
    )
  if (groups.length <= FLAT_FILES) return <div>{groups.map((group) => file(group, group.filePath))}</div>
  return (
    <FileTreeView
      id={id}
      folder={tree}
      opensUpTo={OPEN_FOLDER_FILES}
      renderFile={({ path, name }) => file(byPath.get(path), name)}
      countOf={(folder) => matchesIn(folder, byPath)}
    />
  )
}

function matchesIn(folder: FileTreeFolder, groups: ReadonlyMap<string, MatchGroup>): number {
  const own = folder.files.reduce((sum, { path }) => sum + (groups.get(path)?.matchCount ?? 0), 0)
  return folder.folders.reduce((sum, child) => sum + matchesIn(child, groups), own)
}

function isLimited(summary: string | undefined): boolean {
  return /limited/.test(summary ?? '')
}

interface MatchedFileProps {
  id: string
  name: string
  group: MatchGroup
  pattern: string
}

/** The matching lines of one file. */
function MatchedFile({ id, name, group, pattern }: MatchedFileProps) {
  const [isOpen, setOpen] = useOpen(id, true)
  const head = (
    <b>
      <MachineText text={name} />
    </b>
  )
  // a search for names only has no lines
  if (group.lines.every(({ lineNumber, line }) => lineNumber === null && line === ''))
    return <div>{head}</div>
  return (
    <div dir="ltr">
      <Disclosure
        isOpen={isOpen}
        onToggle={setOpen}
        headClassName="matched-file"
        head={
          <>
            {head}
            <span className="file-tree-count">{formatCount(group.matchCount)}</span>
          </>
        }
      >
        {() => (
          <LazyBlocks items={group.lines} as="div" rowHeightPx={LINE_HEIGHT_PX}>
            {(lines) =>
              lines.map((line) => (
                <div key={line.key} className={classNames('match', line.isContext && 'context')}>
                  <span className="match-number">{line.lineNumber}</span>
                  <span className="match-line">
                    {line.isContext ? (
                      <MachineText text={line.line} />
                    ) : (
                      <MatchPattern text={line.line} pattern={pattern} />
                    )}
                  </span>
                </div>
              ))
            }
          </LazyBlocks>
        )}
      </Disclosure>
    </div>
  )
}

/** A matching line with the pattern highlighted. */
function MatchPattern({ text, pattern }: { text: string; pattern: string }) {
  const words = useMemo(() => patternWords(pattern), [pattern])
  return (
    <ToolMatchContext value={words}>
      <MachineText text={text} />
    </ToolMatchContext>
  )
}

type Match = Extract<ToolOutput, { kind: 'search' }>['matches'][number]

interface MatchGroup {
  filePath: string
  lines: (Match & { key: string })[]
  /** Matching lines; the others are context. */
  matchCount: number
}

/** Matches by file; files and lines in the order found. */
function groupMatches(matches: readonly Match[]): MatchGroup[] {
  const groups = new Map<string, MatchGroup>()
  for (const [index, match] of matches.entries()) {
    const group = groups.get(match.filePath) ?? { filePath: match.filePath, lines: [], matchCount: 0 }
    group.lines.push({ ...match, key: `${match.lineNumber ?? ''}:${index}` })
    if (!match.isContext) group.matchCount += 1
    groups.set(match.filePath, group)
  }
  return [...groups.values()]
}

type Progress = Extract<ToolOutput, { kind: 'subagent' }>

const STATES: Record<string, [LucideIcon, string]> = {
  completed: [Check, 'Done'],
  error: [X, 'Failed'],
  cancelled: [Ban, 'Cancelled'],
}

/** What a sub-agent did according to the parent's log: its last steps and its answer. */
export function OutputSubagent({ output }: { output: Progress }) {
  const ending = agentEnding(output.terminateReason)
  return (
    <>
      {output.activity.length > 0 && (
        <ol className="agent-steps">
          {output.activity.map((step, index) => (
            <Step key={`${index} ${step.id}`} step={step} />
          ))}
        </ol>
      )}
      {output.result !== null && output.result.trim() !== '' && (
        <div className="agent-task">
          <p className="agent-part">Report</p>
          <Result text={output.result} />
        </div>
      )}
      {ending !== null && <p className="output-remark">{ending.sentence}</p>}
    </>
  )
}

/** Agents with an output schema answer in JSON. */
function Result({ text }: { text: string }) {
  const data = readJsonObject(text)
  return data === null ? <Markdown text={text} isSmall /> : <JsonTree value={data} label="Answer" />
}

function readJsonObject(text: string): object | null {
  if (!text.trimStart().startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

function Step({ step }: { step: Progress['activity'][number] }) {
  const isThought = step.type === 'thought'
  const [icon, word] = (Object.hasOwn(STATES, step.status) ? STATES[step.status] : undefined) ?? [
    CircleDashed,
    'No result',
  ]
  return (
    <li className={isThought ? 'agent-step thought' : 'agent-step'}>
      <Icon of={isThought ? Lightbulb : Wrench} small />
      {!isThought && <b title={step.content}>{toolLabel(step.content)}</b>}
      <span className={isThought ? 'agent-words' : 'agent-words mono'} dir="auto">
        <MachineText text={isThought ? step.content : (step.description ?? '')} />
      </span>
      {!isThought && (
        <span className={step.status === 'error' ? 'call-state failed' : 'call-state'}>
          <Icon of={icon} small />
          {word}
        </span>
      )}
    </li>
  )
}

type ChangedTodo_ = Extract<ToolOutput, { kind: 'todos' }>['todos'][number]

interface ChangedTodo extends ChangedTodo_ {
  key: string
  /** Nesting below another task (trackers). */
  depth: number
  /** added: not in the previous list; moved: in another state before; removed: only in the previous list. null: unchanged. */
  change: 'added' | 'moved' | 'removed' | null
}

/** A todo list with the changes since the previous one. Without one, nothing is marked as new. */
export function todoChanges(
  todos: readonly ChangedTodo_[],
  previous: readonly ChangedTodo_[] | undefined,
): ChangedTodo[] {
  const before = new Map(previous?.map((todo) => [nameOf(todo), todo]))
  const now = new Set(todos.map(nameOf))
  const listed = todos.map((todo, index) =>
    placed(todo, index, changeOf(todo, previous && before.get(nameOf(todo)), previous !== undefined)),
  )
  const gone = (previous ?? []).filter((todo) => !now.has(nameOf(todo)))
  return [...listed, ...gone.map((todo, index) => placed(todo, todos.length + index, 'removed'))]
}

function changeOf(
  todo: ChangedTodo_,
  before: ChangedTodo_ | undefined,
  hasList: boolean,
): ChangedTodo['change'] {
  if (!hasList) return null
  if (before === undefined) return 'added'
  return before.status === todo.status ? null : 'moved'
}

function placed(
  { description, status }: ChangedTodo_,
  index: number,
  change: ChangedTodo['change'],
): ChangedTodo {
  const indent = /^ */.exec(description)?.[0].length ?? 0
  return {
    key: `${index} ${description}`,
    description: description.trimStart(),
    status,
    depth: Math.min(Math.floor(indent / 2), 4),
    change,
  }
}

/** Tasks have no id and are identified by their text. */
function nameOf({ description }: ChangedTodo_): string {
  return description.trim()
}
