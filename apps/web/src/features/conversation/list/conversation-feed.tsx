import type { MessageFilter } from '@gemini-dash/api'
import type { Virtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import type { HitTerm } from '../../../content/text/hit-context.ts'
import { stepThroughFeed } from '../jump/step-through-feed.ts'
import type { Row } from '../rows/row.ts'
import { ConversationRow } from './conversation-row.tsx'

interface Props {
  list: RefObject<HTMLDivElement | null>
  virtualizer: Virtualizer<Window, HTMLDivElement>
  rows: readonly Row[]
  show: MessageFilter | undefined
  isBusy: boolean
  /** Messages of the whole session. */
  total: number
  flashingKey: string | null
  /** The row that more may come to. */
  pendingKey: string | undefined
  targetKey: string | undefined
  /** What is marked in the target. */
  terms: readonly HitTerm[]
}

/** The rows that are in sight and near it, each where it lies in the whole list. */
export function ConversationFeed(props: Props) {
  const { list, virtualizer, rows, show, isBusy, total, flashingKey, pendingKey, targetKey, terms } = props
  const { scrollMargin } = virtualizer.options
  return (
    <div
      ref={list}
      className="conversation"
      data-show={show}
      role="feed"
      aria-label="Conversation"
      aria-busy={isBusy}
      onKeyDown={stepThroughFeed}
    >
      <div className="conversation-space" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index]
          return (
            row !== undefined && (
              <div
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                data-row-key={row.key}
                className="conversation-row"
                style={{ top: item.start - scrollMargin }}
              >
                <ConversationRow
                  row={row}
                  total={total}
                  isFlashing={row.key === flashingKey}
                  isPending={row.key === pendingKey}
                  terms={targetKey === row.key ? terms : NO_TERMS}
                />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

const NO_TERMS: readonly HitTerm[] = []
