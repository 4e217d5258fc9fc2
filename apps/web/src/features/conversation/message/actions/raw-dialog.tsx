import './raw-dialog.css'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useContext } from 'react'
import { sessionAnswerQuery } from '../../../../api/session/session-answer.ts'
import { NeighbourContext } from '../../../../content/neighbours/neighbour-context.ts'
import { CopyButton } from '../../../../ui/buttons/copy-button.tsx'
import { IconButton } from '../../../../ui/buttons/icon-button.tsx'
import { ScrollRegion } from '../../../../ui/frames/scroll-region.tsx'
import { Failed } from '../../../../ui/states/failed.tsx'

/** More is not drawn; it is copied whole. */
const MOST_DRAWN = 200_000

/** The record that a message was made of, as its file holds it. */
export function RawDialog({ messageKey, onClose }: { messageKey: string; onClose: () => void }) {
  const { sessionRef } = useContext(NeighbourContext)
  const { data, error, refetch } = useQuery(
    sessionAnswerQuery('messages/:messageKey/raw', sessionRef, { messageKey }),
  )
  const json = data === undefined ? '' : asJson(data.record)
  return (
    <dialog
      className="raw-dialog"
      aria-label="Raw record"
      ref={(dialog) => {
        if (dialog !== null && !dialog.open) dialog.showModal()
      }}
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header className="raw-head">
        <h2>Raw record</h2>
        {data !== undefined && <CopyButton text={json} label="Copy JSON" />}
        <IconButton icon={X} label="Close" onClick={onClose} />
      </header>
      {error !== null && (
        <Failed what="The record could not be read." error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && (
        <>
          <p className="raw-place">
            <code dir="ltr">{data.file}</code>
            {data.line !== null && <span>line {data.line}</span>}
            {data.index !== null && <span>message {data.index + 1} of the file</span>}
          </p>
          <ScrollRegion label="Raw record" className="raw-json">
            <pre dir="ltr">{json.slice(0, MOST_DRAWN)}</pre>
          </ScrollRegion>
          {json.length > MOST_DRAWN && (
            <p className="raw-place">The record is longer. “Copy JSON” copies all of it.</p>
          )}
        </>
      )}
    </dialog>
  )
}

function asJson(record: unknown): string {
  try {
    return JSON.stringify(record, null, 2) ?? ''
  } catch {
    return 'This record is nested too deeply to be drawn here. Its file holds it as it was written.'
  }
}
