import './tool.css'
import { useQuery } from '@tanstack/react-query'
import type { NeighbourFile, SavedOutput } from 'gemini-sessions'
import { FileX, HardDriveDownload } from 'lucide-react'
import { useContext, useMemo } from 'react'
import { wholeTextQuery } from '../../../api/session-answer.ts'
import { AnsiSource } from '../../../content/ansi.tsx'
import { MachineText } from '../../../content/machine-text.tsx'
import { NeighbourContext, neighbourHref } from '../../../content/stored-files.tsx'
import { formatSize } from '../../../lib/figures.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { Failed } from '../../../ui/states.tsx'
import { useOpen } from '../open-store.ts'
import { clipLines, useMostAtOnce } from './output-text.tsx'

/** More at once would block the page; the whole file can be saved. */
const SHOWN_BYTES = 256 * 1024
const MAX_LINES = 5_000

/** Below a tool call's output: the file in which the CLI saved all of it, if the record has it truncated or masked. */
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
        Gemini CLI saved the full output to{' '}
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
        <span>Full output saved by Gemini CLI</span>
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

/** The start of a saved output, as much as a page can show. */
function SavedText({ file }: { file: NeighbourFile }) {
  const { sessionRef } = useContext(NeighbourContext)
  const { data, error, refetch } = useQuery(wholeTextQuery(neighbourHref(sessionRef, file, SHOWN_BYTES)))
  const most = useMostAtOnce()
  const clipped = useMemo(
    () => (data === undefined ? null : clipLines(savedOutputText(data), MAX_LINES, most.letters)),
    [data, most],
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
          This is the beginning of {formatSize(file.sizeBytes)}. Save the file to see the rest.
        </p>
      )}
    </div>
  )
}

/** A masked output is saved as the tool's JSON answer (0.29+); this extracts its text. */
export function savedOutputText(stored: string): string {
  if (!stored.startsWith('{')) return stored
  try {
    const response: unknown = JSON.parse(stored)
    const texts = typeof response === 'object' && response !== null ? Object.values(response) : []
    const [only, ...others] = texts
    return typeof only === 'string' && others.length === 0 ? only : stored
  } catch {
    return stored
  }
}
