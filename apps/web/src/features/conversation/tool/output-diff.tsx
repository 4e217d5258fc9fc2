import type { ToolOutput } from 'gemini-sessions'
import { useMemo } from 'react'
import { buildPatch } from '../../../content/diff/build-patch.ts'
import { DiffView } from '../../../content/diff/diff-view.tsx'
import { MachineText } from '../../../content/machine-text.tsx'
import { useOpen } from '../open-store.ts'
import { OutputFooter } from './output-footer.tsx'
import { useWholeOutput } from './use-whole-output.ts'

const FIRST_LINES = 60
const MAX_LINES = 5_000

/** What an edit changed. */
export function OutputDiff({
  id,
  output: carried,
}: {
  id: string
  output: Extract<ToolOutput, { kind: 'diff' }>
}) {
  const [isAll, setAll] = useOpen(`${id}/all`)
  const { output, state } = useWholeOutput(carried, isAll)
  const patch = useMemo(() => buildPatch(output), [output])
  if (patch === null) return <Unknown output={output} />
  const lineCount = patch.split('\n').length
  const isCut = output.cut !== undefined
  const isLong = lineCount > FIRST_LINES || isCut
  return (
    <div className="output plain">
      {output.isRebuilt && (
        <p className="output-remark">Made from the arguments: this version of the CLI stored no diff.</p>
      )}
      <DiffView patch={patch} name={output.fileName} maxLines={isAll ? MAX_LINES : FIRST_LINES} />
      {isLong && (
        <OutputFooter
          shown={Math.min(lineCount, isAll ? MAX_LINES : FIRST_LINES)}
          total={isCut ? null : lineCount}
          sizeBytes={output.cut?.sizeBytes ?? patch.length}
          onShowMore={isAll ? null : () => setAll(true)}
          state={state}
          copyText={patch}
        />
      )}
    </div>
  )
}

function Unknown({ output }: { output: Extract<ToolOutput, { kind: 'diff' }> }) {
  return (
    <p className="output-remark">
      <MachineText text={output.filePath ?? output.fileName} /> was changed; the two versions are not
      recorded, or too large to be compared here.
    </p>
  )
}
