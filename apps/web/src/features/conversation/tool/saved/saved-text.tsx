import { useQuery } from '@tanstack/react-query'
import type { NeighbourFile } from 'gemini-sessions'
import { useContext, useMemo } from 'react'
import { wholeTextQuery } from '../../../../api/session/whole.ts'
import { AnsiSource } from '../../../../content/ansi/ansi-source.tsx'
import { NeighbourContext } from '../../../../content/neighbours/neighbour-context.ts'
import { neighbourHref } from '../../../../content/neighbours/neighbour-href.ts'
import { formatSize } from '../../../../lib/figures/format.ts'
import { ScrollRegion } from '../../../../ui/frames/scroll-region.tsx'
import { Failed } from '../../../../ui/states/failed.tsx'
import { clipLines } from '../output/clip-lines.ts'
import { savedOutputText } from './saved-output-text.ts'

/** More at once would hold the page up; all of it can be saved. */
const SHOWN_BYTES = 256 * 1024
const MAX_LINES = 5_000

/** The beginning of a saved output, as much as a page can hold. */
export function SavedText({ file }: { file: NeighbourFile }) {
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
