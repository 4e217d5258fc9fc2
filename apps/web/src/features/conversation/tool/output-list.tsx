import './output-search.css'
import type { ToolOutput } from 'gemini-sessions'
import { MachineText } from '../../../content/machine-text.tsx'
import { useOpen } from '../open-store.ts'
import { OutputFooter } from './output-footer.tsx'
import { useWholeOutput } from './use-whole-output.ts'

const FIRST_FILES = 40
const MAX_FILES = 5_000

/** Files that a tool listed, found or read, and those it left out. */
export function OutputList({
  id,
  output: carried,
}: {
  id: string
  output: Extract<ToolOutput, { kind: 'list' }>
}) {
  const [isAll, setAll] = useOpen(`${id}/all`)
  const { output, state } = useWholeOutput(carried, isAll)
  const shown = output.files.slice(0, isAll ? MAX_FILES : FIRST_FILES)
  const isCut = output.cut !== undefined
  return (
    <div className="output">
      {output.summary !== '' && (
        <p className="output-remark" dir="auto">
          {output.summary}
        </p>
      )}
      <ul className="file-list" dir="ltr">
        {shown.map((file, index) => (
          <li key={`${index} ${file}`}>
            <MachineText text={file} />
          </li>
        ))}
        {output.skipped.map((file, index) => (
          <li key={`skipped ${index} ${file}`}>
            <s>
              <MachineText text={file} />
            </s>{' '}
            <span className="dim">left out</span>
          </li>
        ))}
      </ul>
      {(shown.length < output.files.length || isCut) && (
        <OutputFooter
          shown={shown.length}
          total={isCut ? null : output.files.length}
          sizeBytes={output.cut?.sizeBytes ?? output.files.join('\n').length}
          unit={['file', 'files']}
          onShowMore={isAll ? null : () => setAll(true)}
          state={state}
          copyText={output.files.join('\n')}
        />
      )}
    </div>
  )
}
