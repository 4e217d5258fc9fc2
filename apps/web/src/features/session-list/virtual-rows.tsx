import type { SessionList } from '@gemini-dash/api'
import { useNavigate } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import type { SessionSummary } from 'gemini-sessions'
import { type FocusEvent, memo, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { SessionCriteria } from '../../api/sessions.ts'
import { ExplainButton } from '../../content/explain/explain-button.tsx'
import type { FigureName } from '../../content/explain/explain-context.ts'
import { useActions } from '../../lib/actions/use-actions.ts'
import { density } from '../../lib/browser/appearance.ts'
import { formatCost, formatDay, formatPlural, formatTokens } from '../../lib/figures/format.ts'
import { useIsNarrow } from '../../lib/hooks/use-is-narrow.ts'
import { useLatest } from '../../lib/hooks/use-latest.ts'
import { useOverscan } from '../../lib/hooks/use-overscan.ts'
import type { ListRow } from './list-rows.ts'
import { SessionRow } from './row/session-row.tsx'

type Props = {
  rows: ListRow[]
  /** What they are all of. */
  filter: SessionCriteria
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
const ROW_PX = { comfortable: 33, compact: 27 }
const NARROW_ROW_PX = 65
/** The next page is asked for when this many rows are left; before anybody scrolls, when none is. */
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
    estimateSize: (position) =>
      rows[position]?.kind === 'day' ? DAY_PX : isNarrow ? NARROW_ROW_PX : ROW_PX[density.get()],
    getItemKey: (position) => rows[position]?.key ?? position,
    overscan,
    scrollMargin: listTopPx,
    scrollPaddingStart: TOP_BAR_PX + DAY_PX,
    scrollPaddingEnd: DAY_PX,
  })
  const selectedKey = useRowKeys(rows, (position) => virtualizer.scrollToIndex(position))
  const onFocus = useHeldRow(list, rows)
  const items = virtualizer.getVirtualItems()
  const lastPosition = items.at(-1)?.index ?? 0
  useLayoutEffect(() => {
    const lookahead = window.scrollY > 0 ? LOOKAHEAD_ROWS : 1
    if (hasMore && lastPosition >= rows.length - lookahead) onNearEnd()
  })

  const before = (items[0]?.start ?? listTopPx) - listTopPx
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? listTopPx) - listTopPx)
  return (
    <ul ref={list} onFocus={onFocus} style={{ paddingTop: before, paddingBottom: Math.max(after, 0) }}>
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

type DayHeadingProps = {
  day: string
  totals: SessionList['days'][number] | undefined
  /** What the list leaves out. */
  filter: SessionCriteria
  now: Date
}

/** A day with its sessions, input tokens and cost; sub-agents included, as in the rows below it. */
const DayHeading = memo(function DayHeading({ day, totals, filter, now }: DayHeadingProps) {
  const spent = totals?.withSubagents
  const explained = (figure: FigureName, text: string) =>
    isDayAlone(day, filter) ? (
      <ExplainButton of={{ kind: 'day', day, filter, figure }} name={figure === 'input' ? 'tokens' : 'cost'}>
        {text}
      </ExplainButton>
    ) : (
      text
    )
  return (
    <h2 className="session-day">
      <b>{formatDay(day, now)}</b>
      {totals && spent && (
        <span>
          {formatPlural(totals.sessions, 'session')}
          {spent.usage.input > 0 && <>, {explained('input', formatTokens(spent.usage.input))} in</>}
          {spent.cost.usd !== null && <>, {explained('cost', formatCost(spent.cost))}</>}
        </span>
      )}
    </h2>
  )
})

/** The sessions of the day can be asked for by the day: no other part of the filter is about times. */
function isDayAlone(day: string, { to, hour }: SessionCriteria): boolean {
  return day !== 'unknown' && hour === undefined && (to === undefined || day < to)
}

/** Where the row that has the focus leaves the list, as one whose star is taken back, the row in its place has it then. */
function useHeldRow(list: RefObject<HTMLElement | null>, rows: ListRow[]) {
  const held = useRef<{ key: string; position: number } | null>(null)
  useLayoutEffect(() => {
    const { current } = held
    if (current === null || rows.some(({ key }) => key === current.key)) return
    held.current = null
    if (document.activeElement !== document.body) return
    const links = [...(list.current?.querySelectorAll<HTMLElement>('.session-row a') ?? [])]
    const positionOf = (link: HTMLElement) => Number(link.closest('li')?.dataset.index)
    const next = links.find((link) => positionOf(link) >= current.position) ?? links.at(-1)
    next?.focus({ preventScroll: true })
  }, [list, rows])
  return ({ target }: FocusEvent<HTMLElement>) => {
    const position = Number(target.closest('li')?.dataset.index)
    const key = rows[position]?.key
    held.current = key === undefined ? null : { key, position }
  }
}

/** j, k, Enter and o over the rows. Gives the key of the selected session. */
function useRowKeys(rows: ListRow[], scrollTo: (position: number) => void): string | null {
  const navigate = useNavigate()
  const [selectedKey, setSelectedKey] = useState<string | null>(null)
  const latestKey = useLatest(selectedKey)

  function step(direction: 1 | -1): undefined {
    const from = rows.findIndex((row) => row.key === latestKey.current)
    const position = nextSession(rows, from === -1 && direction === -1 ? rows.length : from, direction)
    const row = rows[position]
    if (!row) return
    latestKey.current = row.key
    setSelectedKey(row.key)
    scrollTo(position)
  }
  useActions({
    nextRow: () => step(1),
    previousRow: () => step(-1),
    openRow: () => {
      const key = latestKey.current
      if (key === null) return false
      void navigate({ to: '/s/$key', params: { key } })
      return undefined
    },
    openRowInTab: () => {
      if (latestKey.current === null) return false
      window.open(`/s/${encodeURIComponent(latestKey.current)}`, '_blank', 'noopener')
      return undefined
    },
  })
  return selectedKey
}

function nextSession(rows: ListRow[], from: number, direction: 1 | -1): number {
  let position = from + direction
  while (rows[position]?.kind === 'day') position += direction
  return position
}
