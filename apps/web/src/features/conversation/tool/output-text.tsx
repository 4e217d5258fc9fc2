import './tool.css'
import { useQuery } from '@tanstack/react-query'
import type { ToolOutput } from 'gemini-sessions'
import { UnfoldVertical } from 'lucide-react'
import { useContext, useMemo, useState, useSyncExternalStore } from 'react'
import { wholeOutputQuery } from '../../../api/session-answer.ts'
import { AnsiSource } from '../../../content/ansi.tsx'
import { buildPatch, copiedPatch, DiffView } from '../../../content/build-patch.tsx'
import { CodeLines } from '../../../content/code-block.tsx'
import { HitContext, hasHit, MachineText } from '../../../content/machine-text.tsx'
import { Markdown } from '../../../content/markdown.tsx'
import { diffChoice } from '../../../content/parse-patch.ts'
import { classNames } from '../../../lib/browser.ts'
import { byteSize, formatCount, formatPlural, formatSize } from '../../../lib/figures.ts'
import { useIsNarrow } from '../../../lib/hooks.ts'
import { usePaper } from '../../../lib/paper.ts'
import { Button, CopyButton } from '../../../ui/buttons/button.tsx'
import { Segmented } from '../../../ui/controls.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { useOpen } from '../open-store.ts'
import { FileTreeView, fileTree } from './matches.tsx'
import { folderMark, type ListedFiles, listResult } from './results.ts'

type TextOutput = Extract<ToolOutput, { kind: 'text' | 'markdown' | 'error' }>

const FIRST_LINES = 20

interface Props {
  id: string
  output: TextOutput
  /** Drawn as a numbered file instead of terminal text. */
  code?: { language: string | null; firstLine: number }
  /** Strips the tool's own framing from the full text, as was done for `output`. */
  readWhole?: ((text: string) => string) | undefined
}

/** Text output of a tool: the first lines, and the rest on request. */
export function OutputText({ id, output: carried, code, readWhole = unchanged }: Props) {
  const terms = useContext(HitContext)
  const isHitBelow = terms.length > 0 && hasHit(carried.text, terms)
  const most = useMostAtOnce()
  const [isAll, setAll] = useOpen(`${id}/all`, isHitBelow)
  const { output, state } = useWholeOutput(carried, isAll)
  const text = output === carried ? output.text : readWhole(output.text)
  const clipped = useMemo(
    () => clipLines(text, isAll ? most.text : FIRST_LINES, most.letters),
    [text, isAll, most],
  )
  const isCut = output.cut !== undefined
  const canShowMore = !isAll && (clipped.isClipped || isCut)
  return (
    <div className="output">
      {code === undefined ? (
        <TerminalText text={clipped.text} isWrapped={carried.kind === 'error'} />
      ) : (
        <CodeLines code={clipped.text} language={code.language} firstLine={code.firstLine} label="File" />
      )}
      {(clipped.totalLines > FIRST_LINES || isCut) && (
        <OutputFooter
          shown={clipped.shownLines}
          total={isCut ? null : clipped.totalLines}
          sizeBytes={output.cut?.sizeBytes ?? byteSize(text)}
          onShowMore={canShowMore || state === 'loading' ? () => setAll(true) : null}
          state={state}
          copyText={text}
        />
      )}
    </div>
  )
}

function unchanged(text: string): string {
  return text
}

/** `isWrapped`: an error is read as prose, not in columns. */
function TerminalText({ text, isWrapped }: { text: string; isWrapped: boolean }) {
  return (
    <ScrollRegion label="Output" className={classNames('terminal', isWrapped && 'wrapping')}>
      <pre dir="ltr">
        <AnsiSource text={text} />
      </pre>
    </ScrollRegion>
  )
}

/** Text truncated to whole lines of limited length. */
interface ClippedText {
  text: string
  shownLines: number
  totalLines: number
  isClipped: boolean
}

/** The first `maxLines` lines, each truncated to `maxLetters`. A trailing newline starts no line. */
export function clipLines(text: string, maxLines: number, maxLetters: number): ClippedText {
  const body = text.endsWith('\n') ? text.slice(0, -1) : text
  const totalLines = countLines(body)
  const lines = body.split('\n', maxLines)
  const shown = lines.map((line) => (line.length > maxLetters ? `${line.slice(0, maxLetters)}…` : line))
  const shownLines = lines.length
  const isLineClipped = lines.some((line) => line.length > maxLetters)
  return {
    text: shown.join('\n'),
    shownLines,
    totalLines,
    isClipped: shownLines < totalLines || isLineClipped,
  }
}

function countLines(text: string): number {
  let count = 1
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) count += 1
  return count
}

/** Limits for one output, in lines or files, and for one line, in characters: drawing more at once would block the page. */
const ON_PAGE = {
  text: 50_000,
  terminal: 5_000,
  markdown: 150,
  diff: 20_000,
  search: 20_000,
  files: 10_000,
  letters: 4_000,
}
/** Limits on paper: documents are for human readers; the machine-readable formats contain everything. */
const ON_PAPER: typeof ON_PAGE = {
  text: 30,
  terminal: 30,
  markdown: 150,
  diff: 400,
  search: 60,
  files: 100,
  letters: 400,
}

/** Limits for drawing one output at once. */
export function useMostAtOnce(): typeof ON_PAGE {
  return usePaper() === null ? ON_PAGE : ON_PAPER
}

interface OutputFooterProps {
  shown: number
  /** null while the rest is still on the server. */
  total: number | null
  sizeBytes: number
  unit?: [one: string, many: string]
  /** null when everything is shown. */
  onShowMore: (() => void) | null
  /** If a click does not show everything. */
  moreLabel?: string | undefined
  state?: WholeState
  copyText?: string
  copyLabel?: string
}

/** Below an output: how much is shown, buttons for the rest and a copy. On paper only the former, if truncated. */
export function OutputFooter(props: OutputFooterProps) {
  const { shown, total, sizeBytes, unit = ['line', 'lines'], onShowMore, state = 'idle', copyText } = props
  const { copyLabel = 'Copy output', moreLabel } = props
  if (usePaper() !== null)
    return total === null || shown < total ? (
      <div className="output-footer">
        <span>{countOf(shown, total, unit)}</span>
        <span>{formatSize(sizeBytes)}</span>
      </div>
    ) : null
  return (
    <div className="output-footer">
      <span>{countOf(shown, total, unit)}</span>
      <span>{formatSize(sizeBytes)}</span>
      {typeof state === 'object' && (
        <>
          <span className="tone-error">The rest could not be read</span>
          <Button look="quiet" size="tiny" onClick={state.retry}>
            Try again
          </Button>
        </>
      )}
      <span className="output-actions">
        {onShowMore !== null && (
          <Button look="quiet" size="tiny" disabled={state === 'loading'} onClick={onShowMore}>
            <Icon of={UnfoldVertical} small />
            {state === 'loading' ? 'Reading' : (moreLabel ?? showLabel(total, sizeBytes, unit))}
          </Button>
        )}
        {copyText !== undefined && <CopyButton text={copyText} label={copyLabel} />}
      </span>
    </div>
  )
}

function countOf(shown: number, total: number | null, [one, many]: [string, string]): string {
  if (total === null) return `first ${formatPlural(shown, one, many)}`
  return shown < total
    ? `${formatCount(shown)} of ${formatPlural(total, one, many)}`
    : formatPlural(total, one, many)
}

function showLabel(total: number | null, sizeBytes: number, [one, many]: [string, string]): string {
  return total === null ? `Show all (${formatSize(sizeBytes)})` : `Show all ${formatPlural(total, one, many)}`
}

/** State of the full output: idle or loaded, loading, or failed with a retry. */
type WholeState = 'idle' | 'loading' | { retry: () => void }

/** The output as delivered with the page, or the full one once requested. */
export function useWholeOutput<T extends ToolOutput>(
  output: T,
  isWanted: boolean,
): { output: T; state: WholeState } {
  const href = 'cut' in output ? output.cut?.href : undefined
  const query = useQuery({ ...wholeOutputQuery(href ?? ''), enabled: isWanted && href !== undefined })
  if (href === undefined || !isWanted) return { output, state: 'idle' }
  if (query.data?.kind === output.kind) return { output: query.data as T, state: 'idle' }
  return { output, state: query.isError ? { retry: () => void query.refetch() } : 'loading' }
}

/** Splits Markdown between blocks into pieces of about `pieceLines` lines. An endless block is split anyway. */
export function markdownPieces(text: string, pieceLines: number): string[] {
  const pieces: string[] = []
  let piece: string[] = []
  let isInFence = false
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) isInFence = !isInFence
    const isBetweenBlocks = line.trim() === '' && !isInFence
    if ((isBetweenBlocks && piece.length >= pieceLines) || piece.length >= pieceLines * 4) {
      pieces.push(piece.join('\n'))
      piece = []
    }
    piece.push(line)
  }
  return [...pieces, piece.join('\n')]
}

const FIRST_MARKDOWN_LINES = 40

interface OutputMarkdownProps {
  id: string
  output: Extract<ToolOutput, { kind: 'markdown' | 'text' }>
  /** Strips the tool's own framing from the full text, as was done for `output`. */
  readWhole?: ((text: string) => string) | undefined
  /** Transforms the copied text into the drawn one. */
  asDrawn?: (text: string) => string
}

/** Markdown output: a web page, a sub-agent's report. */
export function OutputMarkdown({
  id,
  output: carried,
  readWhole = unchanged,
  asDrawn = unchanged,
}: OutputMarkdownProps) {
  const [isAll, setAll] = useOpen(`${id}/all`)
  const { output, state } = useWholeOutput(carried, isAll)
  const text = output === carried ? output.text : readWhole(output.text)
  const most = useMostAtOnce()
  const [pieceCount, setPieceCount] = useState(1)
  const first = useMemo(() => clipLines(text, FIRST_MARKDOWN_LINES, most.letters), [text, most])
  const pieces = useMemo(() => (isAll ? markdownPieces(text, most.markdown) : []), [text, isAll, most])
  const shown = isAll ? pieces.slice(0, pieceCount) : [first.text]
  const isCut = output.cut !== undefined
  const isWhole = isAll && pieceCount >= pieces.length
  return (
    <div className="output plain">
      <div className="output-prose">
        {shown.map((piece, index) => (
          <Markdown key={`${isAll} ${index}`} text={asDrawn(piece)} isSmall />
        ))}
      </div>
      {(first.isClipped || isCut || isAll) && (
        <OutputFooter
          shown={isWhole ? first.totalLines : countMarkdownLines(shown)}
          total={isCut ? null : first.totalLines}
          sizeBytes={output.cut?.sizeBytes ?? text.length}
          onShowMore={isWhole ? null : () => (isAll ? setPieceCount(pieceCount + 1) : setAll(true))}
          moreLabel={isAll || first.totalLines > most.markdown ? 'Show more' : undefined}
          state={state}
          copyText={text}
        />
      )}
    </div>
  )
}

function countMarkdownLines(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + piece.split('\n').length, 0)
}

const FIRST_FILES = 200
/** Up to this many files can be counted at a glance. */
const TOLD_BY_THE_HEAD = 20
/** Larger folders start closed. */
const OPEN_FOLDER_FILES = 40

interface OutputFilesProps {
  id: string
  output: Extract<ToolOutput, { kind: 'list' | 'text' }>
}

/** Files that a tool listed, found or read, by folder, and what it left out. */
export function OutputFiles({ id, output: carried }: OutputFilesProps) {
  const most = useMostAtOnce()
  const [isAll, setAll] = useOpen(`${id}/all`)
  const { output, state } = useWholeOutput(carried, isAll)
  const { root, paths, note } = useMemo(() => listedFiles(output), [output])
  const shown = useMemo(() => paths.slice(0, isAll ? most.files : FIRST_FILES), [paths, isAll, most])
  const tree = useMemo(() => fileTree(shown, root), [shown, root])
  const isCut = output.cut !== undefined
  const skipped = output.kind === 'list' ? output.skipped : []
  const isEmpty = paths.length === 0 && skipped.length === 0
  return (
    <div className="output">
      {isEmpty && <p className="output-remark">Nothing was found.</p>}
      {note !== '' && (
        <p className="output-remark" dir="auto">
          <MachineText text={note} />
        </p>
      )}
      {!isEmpty && (
        <ScrollRegion label="Files" className="file-list">
          <div>
            <FileTreeView id={id} folder={tree} opensUpTo={OPEN_FOLDER_FILES} />
            {skipped.map((file) => (
              <p key={file}>
                <s>
                  <MachineText text={file} />
                </s>{' '}
                <span className="dim">left out</span>
              </p>
            ))}
          </div>
        </ScrollRegion>
      )}
      {(shown.length < paths.length || isCut || paths.length > TOLD_BY_THE_HEAD) && (
        <OutputFooter
          shown={shown.length}
          total={isCut ? null : paths.length}
          sizeBytes={output.cut?.sizeBytes ?? paths.join('\n').length}
          unit={paths.some((path) => path.endsWith('/')) ? ['item', 'items'] : ['file', 'files']}
          onShowMore={isAll || (shown.length === paths.length && !isCut) ? null : () => setAll(true)}
          state={state}
          copyText={paths.join('\n')}
          copyLabel="Copy list"
        />
      )}
    </div>
  )
}

function listedFiles(output: OutputFilesProps['output']): ListedFiles {
  if (output.kind === 'text') return listResult(output.text) ?? { root: '', paths: [], note: output.text }
  // the summary repeats the footer's count; only the rest of it is kept
  const note = /\((\d+[^)]*)\)\s*$/.exec(output.summary)?.[1] ?? ''
  return { root: '', paths: output.files.map(folderMark), note }
}

type Diff = Extract<ToolOutput, { kind: 'diff' }>

const FIRST_DIFF_LINES = 60
const LAYOUTS = [
  { value: 'unified', label: 'Unified' },
  { value: 'split', label: 'Split' },
] as const

interface OutputDiffProps {
  id: string
  output: Diff
  /** A remark on this diff; '' for none. */
  remark?: string
  /** The path already shown above the diff. */
  shownPath?: string
}

/** What an edit changed, or would have changed. */
export function OutputDiff({
  id,
  output: carried,
  remark = originRemark(carried),
  shownPath,
}: OutputDiffProps) {
  const most = useMostAtOnce()
  const [isAll, setAll] = useOpen(`${id}/all`)
  const { output, state } = useWholeOutput(carried, isAll)
  const patch = useMemo(() => buildPatch(output), [output])
  const isNarrow = useIsNarrow()
  const layout = useSyncExternalStore(diffChoice.subscribe, diffChoice.get, diffChoice.get)
  if (patch === null) return <Unknown output={output} />
  if (!patch.includes('@@')) return <p className="output-remark">Nothing changed in the file.</p>
  const lineCount = countDiffLines(patch)
  const isCut = output.cut !== undefined
  const path = output.filePath ?? output.fileName
  return (
    <div className="output plain">
      <div className="diff-bar meta">
        {path !== shownPath && (
          <span className="diff-path" dir="ltr">
            <MachineText text={path} />
          </span>
        )}
        {remark !== '' && <span>{remark}</span>}
        <span className="output-actions">
          {!isNarrow && (
            <Segmented label="Layout of diffs" value={layout} options={LAYOUTS} onChange={diffChoice.set} />
          )}
          <CopyButton text={copiedPatch(patch, path, output.isNewFile)} label="Copy as patch" />
        </span>
      </div>
      <DiffView
        patch={patch}
        name={output.fileName}
        maxLines={isAll ? most.diff : FIRST_DIFF_LINES}
        layout={isNarrow ? 'unified' : layout}
        hasNumbers={!output.isRebuilt || output.originalContent === null || output.isNewFile}
      />
      {(lineCount > FIRST_DIFF_LINES || isCut) && (
        <OutputFooter
          shown={Math.min(lineCount, isAll ? most.diff : FIRST_DIFF_LINES)}
          total={isCut ? null : lineCount}
          sizeBytes={output.cut?.sizeBytes ?? patch.length}
          onShowMore={isAll ? null : () => setAll(true)}
          state={state}
        />
      )}
    </div>
  )
}

/** Counts from the first hunk on. */
function countDiffLines(patch: string): number {
  return patch.slice(patch.indexOf('@@')).replace(/\n$/, '').split('\n').length
}

function originRemark({ isRebuilt, isNewFile, originalContent, newContent }: Diff): string {
  if (isNewFile) return isRebuilt ? 'New file, rebuilt from the call' : 'New file'
  if (isRebuilt && originalContent === null) return 'Rebuilt from the call; the old content is not recorded'
  if (isRebuilt) return 'Rebuilt from the call, so without line numbers'
  return newContent === '' && originalContent !== '' && originalContent !== null ? 'All content removed' : ''
}

function Unknown({ output }: { output: Diff }) {
  return (
    <p className="output-remark">
      <MachineText text={output.filePath ?? output.fileName} /> was changed; the two versions are not
      recorded, or too large to be compared here.
    </p>
  )
}
