import './output-search.css'
import type { ToolOutput } from 'gemini-sessions'
import { useMemo } from 'react'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { ScrollRegion } from '../../../../ui/frames/scroll-region.tsx'
import { useOpen } from '../../open/open-store.ts'
import { fileTree } from '../matches/file-tree.ts'
import { FileTreeView } from '../matches/file-tree-view.tsx'
import { folderMark, type ListedFiles, listResult } from '../results/list-result.ts'
import { MOST_AT_ONCE } from './most-at-once.ts'
import { OutputFooter } from './output-footer.tsx'
import { useWholeOutput } from './use-whole-output.ts'

const FIRST_FILES = 200
/** Larger folders are closed at first. */
const OPEN_FOLDER_FILES = 40

interface Props {
  id: string
  output: Extract<ToolOutput, { kind: 'list' | 'text' }>
}

/** Files that a tool listed, found or read, by folder, and what it left out. */
export function OutputFiles({ id, output: carried }: Props) {
  const [isAll, setAll] = useOpen(`${id}/all`)
  const { output, state } = useWholeOutput(carried, isAll)
  const { root, paths, note } = useMemo(() => listedFiles(output), [output])
  const shown = useMemo(() => paths.slice(0, isAll ? MOST_AT_ONCE.files : FIRST_FILES), [paths, isAll])
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
      {(shown.length < paths.length || isCut || paths.length > 3) && (
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

function listedFiles(output: Props['output']): ListedFiles {
  if (output.kind === 'text') return listResult(output.text) ?? { root: '', paths: [], note: output.text }
  // the summary counts what the footer counts; only what it says beyond that is kept
  const note = /\((\d+[^)]*)\)\s*$/.exec(output.summary)?.[1] ?? ''
  return { root: '', paths: output.files.map(folderMark), note }
}
