import './output-search.css'
import type { ToolOutput } from 'gemini-sessions'
import { useMemo } from 'react'
import { LazyBlocks } from '../../../../content/code/lazy-blocks.tsx'
import { ToolMatchContext } from '../../../../content/text/hit-context.ts'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { classNames } from '../../../../lib/browser/class-names.ts'
import { formatCount, formatPlural } from '../../../../lib/figures/format.ts'
import { Disclosure } from '../../../../ui/controls/disclosure.tsx'
import { ScrollRegion } from '../../../../ui/frames/scroll-region.tsx'
import { useOpen } from '../../open/open-store.ts'
import { type FileTreeFolder, fileTree } from '../matches/file-tree.ts'
import { FileTreeView } from '../matches/file-tree-view.tsx'
import { patternWords } from '../matches/pattern-words.ts'
import { searchResult } from '../results/search-result.ts'
import { MOST_AT_ONCE } from './most-at-once.ts'
import { OutputFooter } from './output-footer.tsx'
import { useWholeOutput } from './use-whole-output.ts'

const LINE_HEIGHT_PX = 20

const FIRST_LINES = 200
/** Up to here each file stands under its whole path; more are sorted into folders. */
const FLAT_FILES = 6
const OPEN_FOLDER_FILES = 20

interface Props {
  id: string
  output: Extract<ToolOutput, { kind: 'search' | 'text' }>
  /** What was searched for; marked in the lines where it can be. */
  pattern: string
}

/** What a search found, by folder and file. */
export function OutputSearch({ id, output: carried, pattern }: Props) {
  const [isAll, setAll] = useOpen(`${id}/all`)
  const { output, state } = useWholeOutput(carried, isAll)
  const search = useMemo(() => (output.kind === 'search' ? output : searchResult(output.text)), [output])
  const matches = search?.matches ?? []
  const shown = useMemo(() => matches.slice(0, isAll ? MOST_AT_ONCE.search : FIRST_LINES), [matches, isAll])
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

/** The lines that were found in one file. */
function MatchedFile({ id, name, group, pattern }: MatchedFileProps) {
  const [isOpen, setOpen] = useOpen(id, true)
  const head = (
    <b>
      <MachineText text={name} />
    </b>
  )
  // a search for names alone has no lines
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

/** A found line with what was searched for marked. */
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
  /** Lines that match; the others stand around them. */
  matchCount: number
}

/** Matches by file, files and lines in the order in which they were found. */
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
