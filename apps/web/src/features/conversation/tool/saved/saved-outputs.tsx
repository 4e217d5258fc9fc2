import './saved-outputs.css'
import { useQuery } from '@tanstack/react-query'
import type { NeighbourFile, SavedOutput } from 'gemini-sessions'
import { FileX, HardDriveDownload } from 'lucide-react'
import { useContext, useMemo } from 'react'
import { wholeTextQuery } from '../../../../api/session/whole.ts'
import { AnsiSource } from '../../../../content/ansi/ansi-source.tsx'
import { NeighbourContext, neighbourHref } from '../../../../content/neighbours/neighbour-context.ts'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { formatSize } from '../../../../lib/figures/format.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { ScrollRegion } from '../../../../ui/frames/scroll-region.tsx'
import { Icon } from '../../../../ui/signs/icon.tsx'
import { Failed } from '../../../../ui/states/failed.tsx'
import { useOpen } from '../../open/open-store.ts'
import { clipLines } from '../output/clip-lines.ts'
import { savedOutputText } from './saved-output-text.ts'

/** More at once would hold the page up; all of it can be saved. */
const SHOWN_BYTES = 256 * 1024
const MAX_LINES = 5_000

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

/** The beginning of a saved output, as much as a page can hold. */
function SavedText({ file }: { file: NeighbourFile }) {
  const { sessionRef } = useContext(NeighbourContext)
  const { data, error, refetch } = useQuery(wholeTextQuery(neighbourHref(sessionRef, file, SHOWN_BYTES)))
  const clipped = useMemo(
    () => (data === undefined ? null : clipLines(savedOutputText(data), MAX_LINES)),
    [data],
  )
  if (error !== null)
    return <Failed what="The saved output could not be read." error={error} onRetry={refetch} />
  if (clipped === null) return <p className="loading-line">Reading</p>
  const isCut = file.sizeBytes > SHOWN_BYTES || clipped.isClipped
  return (
    <div className="saved-text">
      <ScrollRegion label="Full output" className="terminal">
        <pre dir="ltr">
          <AnsiSource text={clipped.text} />
        </pre>
      </ScrollRegion>
      {isCut && (
        <p className="output-remark">
          This is the beginning of {formatSize(file.sizeBytes)}. Save the file to see all of it.
        </p>
      )}
    </div>
  )
}
