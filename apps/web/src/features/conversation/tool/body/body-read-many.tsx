import type { ToolCall } from 'gemini-sessions'
import { languageOfPath } from '../../../../content/highlight/language-name.ts'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { formatPlural } from '../../../../lib/figures/format.ts'
import { Disclosure } from '../../../../ui/controls/disclosure.tsx'
import { useOpen } from '../../open/open-store.ts'
import { OutputBody } from '../output/output-body.tsx'
import { OutputText } from '../output/output-text.tsx'
import { manyFiles, type ReadFile } from '../results/many-files.ts'

/** Several files read in one call: each can be opened. */
export function BodyReadMany({ id, call }: { id: string; call: ToolCall }) {
  const files = manyFiles(call.output.kind === 'text' ? call.output.text : '', call.extraParts)
  const skipped = call.display?.kind === 'list' ? call.display.skipped : []
  if (files.length === 0) return <OutputBody id={id} call={call} output={call.display ?? call.output} />
  return (
    <ul className="read-files">
      {files.map((file, index) => (
        <OneFile key={`${index} ${file.path}`} id={`${id}/file-${index}`} file={file} />
      ))}
      {skipped.map((path) => (
        <li key={path} className="read-file-skipped">
          <MachineText text={path} /> <span className="dim">left out</span>
        </li>
      ))}
    </ul>
  )
}

function OneFile({ id, file }: { id: string; file: ReadFile }) {
  const [isOpen, setOpen] = useOpen(id)
  const lineCount = file.text.replace(/\n$/, '').split('\n').length
  return (
    <li>
      <Disclosure
        isOpen={isOpen}
        onToggle={setOpen}
        headClassName="read-file-head"
        head={
          <>
            <span className="mono" dir="ltr">
              <MachineText text={file.path} />
            </span>
            <span className="read-file-size">{formatPlural(lineCount, 'line')}</span>
          </>
        }
      >
        {() => (
          <OutputText
            id={`${id}/text`}
            output={{ kind: 'text', text: file.text }}
            code={{ language: languageOfPath(file.path), firstLine: 1 }}
          />
        )}
      </Disclosure>
    </li>
  )
}
