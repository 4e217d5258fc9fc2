import { apiPaths } from '@gemini-dash/api/paths'
import { useState } from 'react'
import { ExportChoices, isTooMuchKept, useExportChoice } from '../../content/leaving/export-choices.tsx'
import { ExportFrame } from '../../content/leaving/export-frame.tsx'
import { ExportReviewList } from '../../content/leaving/export-review-list.tsx'
import { Notice } from '../../ui/states/notice.tsx'

/** How a session leaves, and what is taken out of it: nothing goes before it could be looked at. */
export default function ExportDialog({ sessionRef, onClose }: { sessionRef: string; onClose: () => void }) {
  const { choice, choose, isRedacted, queryOf } = useExportChoice()
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const query = queryOf(kept)
  const isTooMuch = isTooMuchKept(query)
  return (
    <ExportFrame
      title="Export"
      href={isTooMuch ? null : apiPaths.exported(sessionRef, query)}
      onClose={onClose}
    >
      <ExportChoices choice={choice} onChoose={choose} />
      {isTooMuch && (
        <Notice tone="warning">So many single texts cannot be left in. Leave in their whole kind.</Notice>
      )}
      {isRedacted && (
        <ExportReviewList
          sessionRef={sessionRef}
          format={choice.format}
          depth={choice.depth}
          kept={kept}
          onKept={setKept}
        />
      )}
    </ExportFrame>
  )
}
