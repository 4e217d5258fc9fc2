import './saved-outputs.css'
import type { NeighbourFile, SavedOutput } from 'gemini-sessions'
import { FileX, HardDriveDownload } from 'lucide-react'
import { useContext } from 'react'
import { NeighbourContext } from '../../../../content/neighbours/neighbour-context.ts'
import { neighbourHref } from '../../../../content/neighbours/neighbour-href.ts'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { formatSize } from '../../../../lib/figures/format.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Icon } from '../../../../ui/signs/icon.tsx'
import { useOpen } from '../../open/open-store.ts'
import { SavedText } from './saved-text.tsx'

/** Below a call's output: the file in which the CLI saved all of it, because the record holds it cut or masked. */
export function SavedOutputs({ id, callId }: { id: string; callId: string }) {
  const { savedOutputs } = useContext(NeighbourContext)
  if (callId === '') return null
  return savedOutputs
    .filter((output) => output.callId === callId)
    .map((output) => (
      <Saved key={output.file?.id ?? output.name} id={`${id}/${output.name}`} output={output} />
    ))
}

function Saved({ id, output: { name, file } }: { id: string; output: SavedOutput }) {
  if (file !== null) return <SavedFile id={id} file={file} />
  return (
    <p className="output-footer saved-output gone">
      <Icon of={FileX} small />
      <span>
        The CLI saved the full output to{' '}
        <span className="mono" dir="ltr">
          <MachineText text={name} />
        </span>
        , which is no longer there
      </span>
    </p>
  )
}

function SavedFile({ id, file }: { id: string; file: NeighbourFile }) {
  const { sessionRef } = useContext(NeighbourContext)
  const [isOpen, setOpen] = useOpen(`${id}/saved`)
  return (
    <>
      <div className="output-footer saved-output">
        <Icon of={HardDriveDownload} small />
        <span>Full output saved by the CLI</span>
        <span>{formatSize(file.sizeBytes)}</span>
        <span className="output-actions">
          <Button look="quiet" size="tiny" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Close' : 'Open'}
          </Button>
          <a className="button quiet tiny" href={neighbourHref(sessionRef, file)} download>
            Save
          </a>
        </span>
      </div>
      {isOpen && <SavedText file={file} />}
    </>
  )
}
