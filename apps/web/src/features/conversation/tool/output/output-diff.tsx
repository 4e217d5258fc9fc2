import type { ToolOutput } from 'gemini-sessions'
import { useMemo, useSyncExternalStore } from 'react'
import { buildPatch, copiedPatch } from '../../../../content/diff/build-patch.ts'
import { diffChoice } from '../../../../content/diff/diff-choice.ts'
import { DiffView } from '../../../../content/diff/diff-view.tsx'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { useIsNarrow } from '../../../../lib/hooks/use-is-narrow.ts'
import { CopyButton } from '../../../../ui/buttons/copy-button.tsx'
import { Segmented } from '../../../../ui/controls/segmented.tsx'
import { useOpen } from '../../open/open-store.ts'
import { MOST_AT_ONCE } from './most-at-once.ts'
import { OutputFooter } from './output-footer.tsx'
import { useWholeOutput } from './use-whole-output.ts'

type Diff = Extract<ToolOutput, { kind: 'diff' }>

const FIRST_LINES = 60
const LAYOUTS = [
  { value: 'unified', label: 'Unified' },
  { value: 'split', label: 'Split' },
] as const

interface Props {
  id: string
  output: Diff
  /** What must be known of this diff; '' for nothing. */
  remark?: string
  /** The path as it stands above the diff already. */
  toldPath?: string
}

/** What an edit changed, or would have changed. */
export function OutputDiff({ id, output: carried, remark = originRemark(carried), toldPath }: Props) {
  const [isAll, setAll] = useOpen(`${id}/all`)
  const { output, state } = useWholeOutput(carried, isAll)
  const patch = useMemo(() => buildPatch(output), [output])
  const isNarrow = useIsNarrow()
  const layout = useSyncExternalStore(diffChoice.subscribe, diffChoice.get, diffChoice.get)
  if (patch === null) return <Unknown output={output} />
  if (!patch.includes('@@')) return <p className="output-remark">Nothing changed in the file.</p>
  const lineCount = countLines(patch)
  const isCut = output.cut !== undefined
  const path = output.filePath ?? output.fileName
  return (
    <div className="output plain">
      <div className="diff-bar">
        {path !== toldPath && (
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
        maxLines={isAll ? MOST_AT_ONCE.diff : FIRST_LINES}
        layout={isNarrow ? 'unified' : layout}
        hasNumbers={!output.isRebuilt || output.originalContent === null || output.isNewFile}
      />
      {(lineCount > FIRST_LINES || isCut) && (
        <OutputFooter
          shown={Math.min(lineCount, isAll ? MOST_AT_ONCE.diff : FIRST_LINES)}
          total={isCut ? null : lineCount}
          sizeBytes={output.cut?.sizeBytes ?? patch.length}
          onShowMore={isAll ? null : () => setAll(true)}
          state={state}
        />
      )}
    </div>
  )
}

/** From the first hunk on. */
function countLines(patch: string): number {
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
