import type { SessionList } from '@gemini-dash/api'
import { SOURCE_NAMES } from '@gemini-dash/api/source-names'
import { useNavigate } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import type { SessionSummary } from 'gemini-sessions'
import {
  type ComponentType,
  type FocusEvent,
  type MouseEvent,
  memo,
  type PointerEvent,
  type RefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { dayOfSession, formatDate, formatDay, startOfDay } from '../../lib/dates.ts'
import { formatCost, formatPlural } from '../../lib/figures.ts'
import { useIsNarrow, useLatest } from '../../lib/hooks.ts'
import { useOverscan } from '../../lib/list-hooks.ts'
import { density } from '../../lib/preferences.ts'
import { useActions } from '../../lib/use-actions.ts'
import type { ColumnName } from './columns.tsx'
import { SessionRow } from './row.tsx'

type Props = {
  rows: ListRow[]
  columns: readonly ColumnName[]
  now: Date
  /** Keys of selected sessions; null: rows open. */
  picked: readonly string[] | null
  onPick: (key: string) => void
  hasMore: boolean
  onNearEnd: () => void
  RowMenu: ComponentType<RowMenuProps>
}

const TOP_BAR_PX = 48
const DAY_PX = 32
const SINCE_PX = 24
const HEADING_PX: Partial<Record<ListRow['kind'], number>> = { day: DAY_PX, since: SINCE_PX }
const ROW_PX = { comfortable: 34, compact: 27 }
const NARROW_ROW_PX = 65
/** The next page is requested when this many rows are left; before the first scroll, when none is. */
const LOOKAHEAD_ROWS = 40
const OVERSCAN = 12

/** Virtual list: ten thousand sessions scroll like ten. */
export function VirtualRows({ rows, columns, now, picked, onPick, hasMore, onNearEnd, RowMenu }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [listTopPx, setListTopPx] = useState(0)
  const isNarrow = useIsNarrow()
  useLayoutEffect(() => {
    const top = list.current?.getBoundingClientRect().top
    if (top !== undefined) setListTopPx(top + window.scrollY)
  })
  const overscan = useOverscan(rows.length > 0, OVERSCAN)
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (position) =>
      HEADING_PX[rows[position]?.kind ?? 'session'] ?? (isNarrow ? NARROW_ROW_PX : ROW_PX[density.get()]),
    getItemKey: (position) => rows[position]?.key ?? position,
    overscan,
    scrollMargin: listTopPx,
    scrollPaddingStart: TOP_BAR_PX + DAY_PX,
    scrollPaddingEnd: DAY_PX,
  })
  const selectedKey = useRowKeys(rows, (position) => virtualizer.scrollToIndex(position))
  const onFocus = useHeldRow(list, rows)
  const { menu, close, listeners } = useRowMenu(rows, selectedKey)
  const items = virtualizer.getVirtualItems()
  const lastPosition = items.at(-1)?.index ?? 0
  useLayoutEffect(() => {
    const lookahead = window.scrollY > 0 ? LOOKAHEAD_ROWS : 1
    if (hasMore && lastPosition >= rows.length - lookahead) onNearEnd()
  })

  const before = (items[0]?.start ?? listTopPx) - listTopPx
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? listTopPx) - listTopPx)
  return (
    <>
      <ul
        ref={list}
        onFocus={onFocus}
        {...listeners}
        style={{ paddingTop: before, paddingBottom: Math.max(after, 0) }}
      >
        {items.map((item) => {
          const row = rows[item.index]
          if (!row) return null
          return (
            <li key={item.key} data-index={item.index} ref={virtualizer.measureElement}>
              {row.kind === 'day' && <DayHeading day={row.day} totals={row.totals} now={now} />}
              {row.kind === 'since' && <SinceMark day={row.day} />}
              {row.kind === 'session' && (
                <SessionRow
                  session={row.session}
                  columns={columns}
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
      {menu !== null && (
        <Suspense>
          <RowMenu {...menu} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

interface DayHeadingProps {
  day: string
  totals: SessionList['days'][number] | undefined
  now: Date
}

/** A day with its sessions and cost, including sub-agents as in the rows below. */
const DayHeading = memo(function DayHeading({ day, totals, now }: DayHeadingProps) {
  const cost = totals?.withSubagents.cost
  return (
    <h2 className="session-day meta">
      <b>{formatDay(day, now)}</b>
      {totals && (
        <span>
          {formatPlural(totals.sessions, 'session')}
          {cost?.usd != null && <> · {formatCost(cost)}</>}
        </span>
      )}
    </h2>
  )
})

/** Marks when a project moved from one program to the other. */
function SinceMark({ day }: { day: string }) {
  const [newer, older] = [SOURCE_NAMES['antigravity-cli'], SOURCE_NAMES['gemini-cli']]
  return (
    <p className="session-since meta">
      {newer} since {formatDate(startOfDay(day).toISOString())} · {older} before
    </p>
  )
}

/** When the focused row leaves the list, for example by removing its star, the row now in its place gets the focus. */
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

/** Handles j, k, Enter and o. Returns the key of the selected session. */
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
  while ((rows[position]?.kind ?? 'session') !== 'session') position += direction
  return position
}

type DayTotals = SessionList['days'][number]

export type ListRow =
  | { kind: 'day'; key: string; day: string; totals: DayTotals | undefined }
  /** First day with sessions of Antigravity CLI. */
  | { kind: 'since'; key: string; day: string }
  | {
      kind: 'session'
      key: string
      session: SessionSummary
      isFirst: boolean
      isLast: boolean
      isUnderDay: boolean
    }

/**
 * Builds the rows: with `days`, a heading before each day's sessions; without, a single sheet. `isFirst` and `isLast` mark the edges of a
 * sheet. `since`: first day of the newer program, marked if earlier days follow.
 */
export function toListRows(
  sessions: SessionSummary[],
  days: DayTotals[] | null,
  since: string | null = null,
): ListRow[] {
  const totalsByDay = new Map(days?.map((totals) => [totals.day, totals]))
  const rows: ListRow[] = []
  sessions.forEach((session, position) => {
    const day = days && dayOfSession(session)
    const isFirst = position === 0 || (days !== null && dayBeside(sessions[position - 1]) !== day)
    const isLast =
      position === sessions.length - 1 || (days !== null && dayBeside(sessions[position + 1]) !== day)
    if (day !== null && since !== null && day < since && (dayBeside(sessions[position - 1]) ?? '') >= since)
      rows.push({ kind: 'since', key: 'since', day: since })
    if (day !== null && isFirst)
      rows.push({ kind: 'day', key: `day ${day}`, day, totals: totalsByDay.get(day) })
    rows.push({ kind: 'session', key: session.key, session, isFirst, isLast, isUnderDay: days !== null })
  })
  return rows
}

function dayBeside(session: SessionSummary | undefined): string | null {
  return session === undefined ? null : dayOfSession(session)
}

/** Props of a row's menu. */
export interface RowMenuProps {
  session: SessionSummary
  at: { x: number; y: number }
  /** Gets the focus when the menu closes. */
  opener: HTMLElement | null
  onClose: () => void
}

const HOLD_MS = 500
const MOST_SHAKE_PX = 10

/**
 * Opens a row's menu by right click, long press, or the menu keys on the focused or selected row. Shift+right click opens the browser's own
 * menu.
 */
function useRowMenu(rows: readonly ListRow[], selectedKey: string | null) {
  const [menu, setMenu] = useState<Omit<RowMenuProps, 'onClose'> | null>(null)
  const touch = useRef<{ timer: number; x: number; y: number } | null>(null)
  const isHeld = useRef(false)
  const endTouch = () => {
    window.clearTimeout(touch.current?.timer)
    touch.current = null
  }
  useEffect(() => endTouch, [])

  /** Returns false outside of session rows. */
  function open(target: EventTarget | null, at?: { x: number; y: number }): boolean {
    const item = target instanceof Element ? target.closest<HTMLElement>('li[data-index]') : null
    const row = rows[Number(item?.dataset.index ?? Number.NaN)]
    if (item === null || row?.kind !== 'session') return false
    const opener = item.querySelector<HTMLElement>('.session-row-link')
    const { left = 0, bottom = 0 } = opener?.getBoundingClientRect() ?? {}
    setMenu({ session: row.session, at: at ?? { x: left, y: bottom }, opener })
    return true
  }
  useActions({
    rowMenu: () => {
      if (open(document.activeElement)) return undefined
      const index = selectedKey === null ? -1 : rows.findIndex(({ key }) => key === selectedKey)
      return open(document.querySelector(`.session-list li[data-index="${index}"] > *`)) ? undefined : false
    },
  })
  return {
    menu,
    close: () => setMenu(null),
    listeners: {
      onContextMenu: (event: MouseEvent) => {
        if (event.shiftKey && event.button === 2) return
        if (open(event.target, { x: event.clientX, y: event.clientY })) event.preventDefault()
      },
      onPointerDown: ({ pointerType, target, clientX: x, clientY: y }: PointerEvent) => {
        endTouch()
        isHeld.current = false
        if (pointerType !== 'touch') return
        const timer = window.setTimeout(() => {
          isHeld.current = open(target, { x, y })
        }, HOLD_MS)
        touch.current = { timer, x, y }
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        const { current } = touch
        if (current !== null && Math.hypot(clientX - current.x, clientY - current.y) > MOST_SHAKE_PX)
          endTouch()
      },
      onPointerUp: endTouch,
      onPointerCancel: endTouch,
      // suppresses the click after a long press
      onClickCapture: (event: MouseEvent) => {
        if (!isHeld.current) return
        isHeld.current = false
        event.preventDefault()
        event.stopPropagation()
      },
    },
  }
}
