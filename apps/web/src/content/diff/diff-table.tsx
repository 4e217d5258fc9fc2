import './diff.css'
import '../code/code.css'
import { useMemo } from 'react'
import { classNames } from '../../lib/browser/class-names.ts'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'
import { LazyBlocks } from '../code/lazy-blocks.tsx'
import type { CodeToken } from '../highlight/code-token.ts'
import { languageOfPath } from '../highlight/language-name.ts'
import { useHighlight } from '../highlight/use-highlight.ts'
import { MachineText } from '../text/machine-text.tsx'
import type { DiffLayout } from './diff-choice.ts'
import { lineRuns } from './line-runs.ts'
import { type PatchLine, parsePatch } from './parse-patch.ts'
import { type SplitRow, splitRows } from './split-rows.ts'
import { type WordPiece, wordChanges } from './word-changes.ts'

const SIGNS: Partial<Record<PatchLine['kind'], [sign: string, word: string]>> = {
  added: ['+', 'added'],
  removed: ['-', 'removed'],
}

interface Props {
  patch: string
  /** File name; tells the language. */
  name: string
  maxLines: number
  layout: DiffLayout
  /** false where the lines' places in the file are not known. */
  hasNumbers: boolean
}

const ROW_HEIGHT_PX = 20

/** A diff in one column or two; changed words underlined, code in its colours. */
export default function DiffTable({ patch, name, maxLines, layout, hasNumbers }: Props) {
  const lines = useMemo(() => {
    const parsed = parsePatch(patch).slice(0, maxLines)
    return hasNumbers ? parsed : withoutPlaces(parsed)
  }, [patch, maxLines, hasNumbers])
  const marks = useMarks(lines, name)
  const rows = useMemo(() => (layout === 'split' ? splitRows(lines) : []), [lines, layout])
  if (lines.length === 0) {
    return (
      <pre className="diff-plain" dir="ltr">
        <MachineText text={patch} />
      </pre>
    )
  }
  return (
    <ScrollRegion label={`Diff of ${name}`} className={`diff-table ${layout}`}>
      <table dir="ltr">
        {layout === 'split' && <SplitColumns />}
        {layout === 'split' ? (
          <LazyBlocks items={rows} as="tbody" rowHeightPx={ROW_HEIGHT_PX}>
            {(block) => <SplitTableRows rows={block} marks={marks} />}
          </LazyBlocks>
        ) : (
          <LazyBlocks items={lines} as="tbody" rowHeightPx={ROW_HEIGHT_PX}>
            {(block) => <UnifiedRows lines={block} marks={marks} />}
          </LazyBlocks>
        )}
      </table>
    </ScrollRegion>
  )
}

function SplitColumns() {
  return (
    <colgroup>
      <col className="diff-column-number" />
      <col />
      <col className="diff-column-number" />
      <col />
    </colgroup>
  )
}

/** Of a piece of a file it is not known where it stands, nor whether it is the end. */
function withoutPlaces(lines: readonly PatchLine[]): PatchLine[] {
  return lines
    .filter(({ kind }) => kind !== 'hunk' && kind !== 'remark')
    .map((line) => ({ ...line, oldNumber: null, newNumber: null }))
}

function useMarks(lines: readonly PatchLine[], name: string): DiffMarks {
  const colours = useDiffColours(lines, languageOfPath(name))
  return useMemo(() => {
    const isText = ({ kind }: PatchLine) => kind === 'same' || kind === 'added' || kind === 'removed'
    const texts = lines.filter(isText)
    const windowsLines = texts.filter(({ text }) => text.endsWith('\r')).length
    const hasMixedEnds = windowsLines > 0 && windowsLines < texts.length
    return { colours, words: wordChanges(lines), hasMixedEnds }
  }, [lines, colours])
}

/** Old and new number, sign, text. */
function UnifiedRows({ lines, marks }: { lines: readonly PatchLine[]; marks: DiffMarks }) {
  return lines.map((line) => {
    if (line.kind === 'hunk' || line.kind === 'remark')
      return <DiffHead key={line.index} line={line} columns={4} />
    const [sign, word] = SIGNS[line.kind] ?? ['', '']
    return (
      <tr key={line.index} className={`diff-${line.kind}`}>
        <td className="diff-number old" data-line={line.oldNumber ?? ''} />
        <td className="diff-number" data-line={line.newNumber ?? ''} />
        <td className="diff-sign">
          {sign !== '' && <span aria-hidden="true">{sign}</span>}
          {word !== '' && <span className="visually-hidden">{word}</span>}
        </td>
        <td className="diff-text">
          <DiffText line={line} marks={marks} />
        </td>
      </tr>
    )
  })
}

/** Colours of a diff's lines by their index: removed lines as part of the old text, the others of the new one. */
function useDiffColours(lines: readonly PatchLine[], language: string | null): Map<number, CodeToken[]> {
  const before = useSide(lines, 'removed', language)
  const after = useSide(lines, 'added', language)
  return useMemo(() => new Map([...before, ...after]), [before, after])
}

function useSide(lines: readonly PatchLine[], own: 'removed' | 'added', language: string | null) {
  const side = useMemo(() => lines.filter(({ kind }) => kind === own || kind === 'same'), [lines, own])
  const code = useMemo(
    () => (language === null ? '' : side.map(({ text }) => text).join('\n')),
    [side, language],
  )
  const coloured = useHighlight(code, language)
  return useMemo(
    () =>
      side.flatMap((line, at): [number, CodeToken[]][] => {
        const tokens = coloured[at]?.tokens
        return tokens === undefined || tokens.every(({ role }) => role === null) ? [] : [[line.index, tokens]]
      }),
    [side, coloured],
  )
}

/** The old file left, the new one right. */
function SplitTableRows({ rows, marks }: { rows: readonly SplitRow[]; marks: DiffMarks }) {
  return rows.map(({ key, head, left, right }) =>
    head === null ? (
      <tr key={key}>
        <Side line={left} number={left?.oldNumber ?? null} marks={marks} />
        <Side line={right} number={right?.newNumber ?? null} marks={marks} />
      </tr>
    ) : (
      <DiffHead key={key} line={head} columns={4} />
    ),
  )
}

function Side({ line, number, marks }: { line: PatchLine | null; number: number | null; marks: DiffMarks }) {
  const kind = line === null ? 'diff-nothing' : `diff-${line.kind}`
  return (
    <>
      <td className={`diff-number ${kind}`} data-line={number ?? ''} />
      <td className={`diff-text ${kind}`}>
        {line !== null && (
          <>
            {line.kind !== 'same' && <span className="visually-hidden">{line.kind} </span>}
            <DiffText line={line} marks={marks} />
          </>
        )}
      </td>
    </>
  )
}

/** Where a hunk begins, or a remark about the end of the file. */
function DiffHead({ line, columns }: { line: PatchLine; columns: number }) {
  return (
    <tr className="diff-hunk">
      <td colSpan={columns}>{line.text}</td>
    </tr>
  )
}

interface DiffMarks {
  colours: Map<number, CodeToken[]>
  words: Map<number, WordPiece[]>
  /** Lines end in different ways, so each says how. */
  hasMixedEnds: boolean
}

/** The text of one line, in its colours, with what changed in it marked. */
function DiffText({ line, marks }: { line: PatchLine; marks: DiffMarks }) {
  const isWindows = line.text.endsWith('\r')
  const text = isWindows ? line.text.slice(0, -1) : line.text
  return (
    <>
      {lineRuns(text, marks.colours.get(line.index), marks.words.get(line.index)).map((run) => {
        const className = classNames(run.role !== null && `code-${run.role}`, run.isChanged && 'diff-word')
        return className === '' ? (
          <MachineText key={run.start} text={run.text} />
        ) : (
          <span key={run.start} className={className}>
            <MachineText text={run.text} />
          </span>
        )
      })}
      {isWindows && marks.hasMixedEnds && (
        <span className="control-mark" title="This line ends with CR LF, as on Windows">
          CR
        </span>
      )}
    </>
  )
}
