import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { sessionAnswerQuery } from '../../../../api/session/session-answer.ts'
import { NeighbourContext } from '../../../../content/neighbours/neighbour-context.ts'
import { CopyButton } from '../../../../ui/buttons/copy-button.tsx'
import { Dialog } from '../../../../ui/frames/dialog.tsx'
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
    <Dialog
      title="Raw record"
      shape="side"
      tools={data !== undefined && <CopyButton text={json} label="Copy JSON" />}
      onClose={onClose}
    >
      {error !== null && (
        <Failed what="The record could not be read." error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && (
        <>
          <p className="dialog-said">
            <code dir="ltr">{data.file}</code>
            {data.line !== null && <span>line {data.line}</span>}
            {data.index !== null && <span>message {data.index + 1} of the file</span>}
          </p>
          {json.length > MOST_DRAWN && (
            <p className="dialog-said">
              The record is longer than what is drawn. “Copy JSON” copies all of it.
            </p>
          )}
          <pre className="dialog-text" dir="ltr">
            {json.slice(0, MOST_DRAWN)}
          </pre>
        </>
      )}
    </Dialog>
  )
}

function asJson(record: unknown): string {
  try {
    return JSON.stringify(record, null, 2) ?? ''
  } catch {
    return 'This record is nested too deeply to be drawn here. Its file holds it as it was written.'
  }
}
