import './code.css'
import { diffWordsWithSpace } from 'diff'
import { useMemo } from 'react'
import { classNames } from '../lib/browser.ts'
import type { CodeRole, CodeToken } from '../lib/code-line.ts'
import { ScrollRegion } from '../ui/scroll-region.tsx'
import { languageOfPath, useHighlight } from './highlight.ts'
import { LazyBlocks } from './lazy-blocks.tsx'
import { MachineText } from './machine-text.tsx'
import { type DiffLayout, type PatchLine, parsePatch } from './parse-patch.ts'

const SIGNS: Partial<Record<PatchLine['kind'], [sign: string, word: string]>> = {
  added: ['+', 'added'],
  removed: ['-', 'removed'],
}

interface Props {
  patch: string
  /** File name; determines the language. */
  name: string
  maxLines: number
  layout: DiffLayout
  /** false if the line numbers are unknown. */
  hasNumbers: boolean
}

const ROW_HEIGHT_PX = 20

/** A unified or split diff with highlighted code and changed words underlined. */
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

/** For a fragment, neither the line numbers nor the end of the file are known. */
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

/** Old and new line number, sign, text. */
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

/** Highlighted tokens by line index: removed lines as part of the old text, others of the new one. */
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

/** Old file on the left, new one on the right. */
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

/** A hunk header, or a remark about the end of the file. */
function DiffHead({ line, columns }: { line: PatchLine; columns: number }) {
  return (
    <tr className="diff-hunk">
      <td colSpan={columns}>
        <MachineText text={line.text} />
      </td>
    </tr>
  )
}

interface DiffMarks {
  colours: Map<number, CodeToken[]>
  words: Map<number, WordPiece[]>
  /** The file has mixed line endings, so each line shows its own. */
  hasMixedEnds: boolean
}

/** Text of a line, highlighted, with changed parts marked. */
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

/** A run of one color, changed or not. `start` is its offset in the line. */
interface LineRun {
  text: string
  start: number
  role: CodeRole | null
  isChanged: boolean
}

/** Splits a line where its color or changed state changes. */
export function lineRuns(
  text: string,
  tokens: readonly CodeToken[] | undefined,
  words: readonly WordPiece[] | undefined,
): LineRun[] {
  const colours = withEnds(
    tokens?.map(({ text, role }) => ({ length: text.length, value: role })),
    text,
  )
  const changes = withEnds(
    words?.map(({ text, isChanged }) => ({ length: text.length, value: isChanged })),
    text,
  )
  const ends = [...new Set([...colours, ...changes].map(({ end }) => end))].sort((one, other) => one - other)
  let start = 0
  return ends.map((end) => {
    const run = {
      text: text.slice(start, end),
      start,
      role: colours.find((colour) => colour.end >= end)?.value ?? null,
      isChanged: changes.find((change) => change.end >= end)?.value ?? false,
    }
    start = end
    return run
  })
}

function withEnds<T>(pieces: { length: number; value: T }[] | undefined, text: string) {
  let end = 0
  const placed = (pieces ?? []).map(({ length, value }) => {
    end = Math.min(end + length, text.length)
    return { end, value }
  })
  return end < text.length ? [...placed, { end: text.length, value: undefined }] : placed
}

interface WordPiece {
  text: string
  start: number
  isChanged: boolean
}

/** Longer or more lines are compared as whole lines only. */
const MAX_LINE_LENGTH = 400
const MAX_PAIRS = 200

/** Word diff of replaced lines, by line index. */
export function wordChanges(lines: readonly PatchLine[]): Map<number, WordPiece[]> {
  const changes = new Map<number, WordPiece[]>()
  for (const [removed, added] of replacedPairs(lines).slice(0, MAX_PAIRS)) {
    if (removed.text.length > MAX_LINE_LENGTH || added.text.length > MAX_LINE_LENGTH) continue
    const words = diffWordsWithSpace(removed.text, added.text)
    const kept = words.filter((word) => !word.added && !word.removed)
    // lines with nothing in common are not an edit of each other
    if (!kept.some((word) => word.value.trim() !== '')) continue
    changes.set(removed.index, toPieces(words.filter((word) => !word.added)))
    changes.set(added.index, toPieces(words.filter((word) => !word.removed)))
  }
  return changes
}

/** The n-th removed line of a block is paired with the n-th added one. */
function replacedPairs(lines: readonly PatchLine[]): [PatchLine, PatchLine][] {
  const pairs: [PatchLine, PatchLine][] = []
  let removed: PatchLine[] = []
  let added: PatchLine[] = []
  const close = () => {
    for (const [index, line] of removed.entries()) {
      const other = added[index]
      if (other !== undefined) pairs.push([line, other])
    }
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.kind === 'removed') {
      if (added.length > 0) close()
      removed.push(line)
    } else if (line.kind === 'added') added.push(line)
    else if (line.kind !== 'remark') close()
  }
  close()
  return pairs
}

function toPieces(words: readonly { value: string; added: boolean; removed: boolean }[]): WordPiece[] {
  let start = 0
  return words.map((word) => {
    const piece = { text: word.value, start, isChanged: word.added || word.removed }
    start += word.value.length
    return piece
  })
}

/** A row of a split diff. `head` spans both columns. */
interface SplitRow {
  key: number
  head: PatchLine | null
  left: PatchLine | null
  right: PatchLine | null
}

/** Old lines on the left, new ones on the right, paired within each block by position. */
export function splitRows(lines: readonly PatchLine[]): SplitRow[] {
  const rows: SplitRow[] = []
  let removed: PatchLine[] = []
  let added: PatchLine[] = []
  const close = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      const left = removed[at] ?? null
      const right = added[at] ?? null
      rows.push({ key: (left ?? right)?.index ?? -1, head: null, left, right })
    }
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.kind === 'removed') {
      if (added.length > 0) close()
      removed.push(line)
    } else if (line.kind === 'added') added.push(line)
    else {
      close()
      const isHead = line.kind !== 'same'
      rows.push({
        key: line.index,
        head: isHead ? line : null,
        left: isHead ? null : line,
        right: isHead ? null : line,
      })
    }
  }
  close()
  return rows
}
