import './diff.css'
import '../code/code.css'
import { useMemo } from 'react'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'
import { LazyBlocks } from '../code/lazy-blocks.tsx'
import { languageOfPath } from '../highlight/language-name.ts'
import { MachineText } from '../text/machine-text.tsx'
import type { DiffLayout } from './diff-choice.ts'
import type { DiffMarks } from './diff-text.tsx'
import { type PatchLine, parsePatch } from './parse-patch.ts'
import { splitRows } from './split-rows.ts'
import { SplitTableRows } from './split-table-rows.tsx'
import { UnifiedRows } from './unified-rows.tsx'
import { useDiffColours } from './use-diff-colours.ts'
import { wordChanges } from './word-changes.ts'

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
