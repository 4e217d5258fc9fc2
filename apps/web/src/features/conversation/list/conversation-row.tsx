import { memo } from 'react'
import type { HitTerm } from '../../../content/text/hit-context.ts'
import { FoldArticle } from '../message/fold-article.tsx'
import { MessageArticle } from '../message/message-article.tsx'
import type { Row } from '../rows/row.ts'
import { unloadedHeight } from './estimate-row-height.ts'

interface Props {
  row: Row
  total: number
  isFlashing: boolean
  isPending: boolean
  terms: readonly HitTerm[]
}

/** Any line of the list. */
export const ConversationRow = memo(function ConversationRow({
  row,
  total,
  isFlashing,
  isPending,
  terms,
}: Props) {
  switch (row.kind) {
    case 'unloaded':
      return <Unloaded count={row.count} height={unloadedHeight(row)} />
    case 'fold':
      return <FoldArticle fold={row.fold} lead={row.lead} total={total} />
    case 'message':
      return (
        <MessageArticle
          message={row.message}
          lead={row.lead}
          offset={row.offset}
          total={total}
          isInBranch={row.isInBranch}
          isLastOfTurn={row.isLastOfTurn}
          isTakenBack={row.isTakenBack}
          ending={row.ending}
          isFlashing={isFlashing}
          isPending={isPending}
          terms={terms}
        />
      )
  }
})

/** The place of messages that are on their way. */
function Unloaded({ count, height }: { count: number; height: number }) {
  return (
    <div className="unloaded" style={{ height }}>
      <div className="unloaded-note">
        {Array.from({ length: Math.min(count, 5) }, (_, line) => `line ${line}`).map((line) => (
          <span key={line} className="skeleton" />
        ))}
      </div>
    </div>
  )
}
