import { useWindowVirtualizer } from '@tanstack/react-virtual'
import type { SessionSummary } from 'gemini-sessions'
import { useLayoutEffect, useRef, useState } from 'react'
import type { SessionFilter } from '../../api/sessions.ts'
import { useIsNarrow } from '../../lib/hooks/use-is-narrow.ts'
import { useOverscan } from '../../lib/hooks/use-overscan.ts'
import { DayHeading } from './day-heading.tsx'
import type { ListRow } from './list-rows.ts'
import { SessionRow } from './row/session-row.tsx'
import { useRowKeys } from './use-row-keys.ts'

type Props = {
  rows: ListRow[]
  /** What they are all of. */
  filter: SessionFilter
  /** Absolute path of an unreadable file -> why, in a sentence. */
  reasons: Map<string, string>
  now: Date
  /** Keys of the sessions that are picked; null: rows open. */
  picked: readonly string[] | null
  onPick: (key: string) => void
  hasMore: boolean
  onNearEnd: () => void
}

const TOP_BAR_PX = 48
const DAY_PX = 30
const ROW_PX = 33
const NARROW_ROW_PX = 65
/** The next page is asked for when this many rows are left. */
const LOOKAHEAD_ROWS = 40
const OVERSCAN = 12

/** Draws the rows in view and a few around them: ten thousand sessions scroll like ten. */
export function VirtualRows({ rows, filter, reasons, now, picked, onPick, hasMore, onNearEnd }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [listTopPx, setListTopPx] = useState(0)
  const isNarrow = useIsNarrow()
  useLayoutEffect(() => {
    const top = list.current?.getBoundingClientRect().top
    if (top !== undefined) setListTopPx(top + window.scrollY)
  }, [])
  const overscan = useOverscan(rows.length > 0, OVERSCAN)
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (position) => (rows[position]?.kind === 'day' ? DAY_PX : isNarrow ? NARROW_ROW_PX : ROW_PX),
    getItemKey: (position) => rows[position]?.key ?? position,
    overscan,
    scrollMargin: listTopPx,
    scrollPaddingStart: TOP_BAR_PX + DAY_PX,
    scrollPaddingEnd: DAY_PX,
  })
  const selectedKey = useRowKeys(rows, (position) => virtualizer.scrollToIndex(position))
  const items = virtualizer.getVirtualItems()
  const lastPosition = items.at(-1)?.index ?? 0
  useLayoutEffect(() => {
    if (hasMore && lastPosition >= rows.length - LOOKAHEAD_ROWS) onNearEnd()
  })

  const before = (items[0]?.start ?? listTopPx) - listTopPx
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? listTopPx) - listTopPx)
  return (
    <ul ref={list} style={{ paddingTop: before, paddingBottom: Math.max(after, 0) }}>
      {items.map((item) => {
        const row = rows[item.index]
        if (!row) return null
        return (
          <li key={item.key} data-index={item.index} ref={virtualizer.measureElement}>
            {row.kind === 'day' ? (
              <DayHeading day={row.day} totals={row.totals} filter={filter} now={now} />
            ) : (
              <SessionRow
                session={row.session}
                reason={reasonOf(row.session, reasons)}
                isFirst={row.isFirst}
                isLast={row.isLast}
                isUnderDay={row.isUnderDay}
                isSelected={row.key === selectedKey}
                now={now}
                isPicked={picked === null ? null : picked.includes(row.key)}
                onPick={onPick}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function reasonOf(session: SessionSummary, reasons: Map<string, string>): string | undefined {
  return session.files.map((file) => reasons.get(`${file.home}/${file.path}`)).find(Boolean)
}
