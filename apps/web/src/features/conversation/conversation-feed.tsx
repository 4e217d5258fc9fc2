import type { MessageFilter } from '@gemini-dash/api'
import type { Virtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, type RefObject, useContext, useEffect, useImperativeHandle } from 'react'
import type { HitTerm } from '../../content/machine-text.tsx'
import { classNames } from '../../lib/browser.ts'
import { Failed } from '../../ui/states.tsx'
import { firstOffsetOf } from './build-rows.ts'
import { Dividers } from './dividers.tsx'
import { PAGE_SIZE, type PageFailure, pageOf } from './feed.ts'
import { FoldedWords, FoldHead, MessageArticle } from './message/message.tsx'
import { type ConversationHandle, type OpenStore, OpenStoreContext } from './open-store.ts'
import { type Divider, type Fold, foldHeadline, foldTally, type Row } from './row.ts'
import { STICKY_PX } from './stop-in-sight.ts'
import { foldId, foldKeys } from './use-rows.ts'

interface Props {
  list: RefObject<HTMLDivElement | null>
  virtualizer: Virtualizer<Window, HTMLDivElement>
  rows: readonly Row[]
  show: MessageFilter | undefined
  isBusy: boolean
  failure: PageFailure | null
  /** Messages of the whole session. */
  total: number
  flashingKey: string | null
  /** The row that may still grow. */
  pendingKey: string | undefined
  targetKey: string | undefined
  /** Words to highlight in the target. */
  terms: readonly HitTerm[]
  onJump: (messageKey: string, offset: number) => void
}

/** The visible rows and their neighbors, each at its position in the whole list. */
export function ConversationFeed(props: Props) {
  const { list, virtualizer, rows, show, isBusy, failure, total, flashingKey, pendingKey, targetKey, terms } =
    props
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
                  failure={hasPageFailed(row, failure) ? failure : null}
                  total={total}
                  isFlashing={row.key === flashingKey}
                  isPending={row.key === pendingKey}
                  terms={targetKey === row.key ? terms : NO_TERMS}
                  onJump={props.onJump}
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

/** Page Down and Page Up move from message to message, as screen readers expect of a feed; a long message scrolls to its end first. */
function stepThroughFeed(event: KeyboardEvent<HTMLElement>): void {
  const by = { PageDown: 1, PageUp: -1 }[event.key]
  if (by === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const here = (event.target as HTMLElement).closest('article')
  if (here === null || !isReadToItsEnd(here, by)) return
  const articles = [...event.currentTarget.querySelectorAll<HTMLElement>('article[aria-posinset]')]
  const next = articles[articles.indexOf(here) + by]
  if (next === undefined) return
  event.preventDefault()
  // an undone message is one line with a button that opens it
  const stop = next.hasAttribute('tabindex') ? next : next.querySelector('button')
  stop?.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'start', behavior: 'instant' })
}

function isReadToItsEnd(article: Element, by: number): boolean {
  const { top, bottom } = article.getBoundingClientRect()
  return by > 0 ? bottom <= window.innerHeight : top >= 0
}

interface ConversationRowProps {
  row: Row
  /** Why it could not be loaded. */
  failure: PageFailure | null
  total: number
  isFlashing: boolean
  isPending: boolean
  terms: readonly HitTerm[]
  onJump: Props['onJump']
}

/** Any line of the list. */
const ConversationRow = memo(function ConversationRow({
  row,
  failure,
  total,
  isFlashing,
  isPending,
  terms,
  onJump,
}: ConversationRowProps) {
  switch (row.kind) {
    case 'unloaded':
      return <Unloaded count={row.count} height={unloadedHeight(row)} failure={failure} />
    case 'fold':
      return <FoldArticle fold={row.fold} dividers={row.dividers} total={total} onFound={onJump} />
    case 'message':
      return (
        <MessageArticle
          message={row.message}
          dividers={row.dividers}
          offset={row.offset}
          total={total}
          isInBranch={row.isInBranch}
          isLastOfTurn={row.isLastOfTurn}
          isTakenBack={row.isTakenBack}
          ending={row.ending}
          run={row.run}
          isFlashing={isFlashing}
          isPending={isPending}
          terms={terms}
        />
      )
  }
})

/** Whether the row is a placeholder for messages that failed to load. */
export function hasPageFailed(row: Row, failure: PageFailure | null): boolean {
  return row.kind === 'unloaded' && failure?.pages.includes(Math.floor(row.at / PAGE_SIZE)) === true
}

interface UnloadedProps {
  count: number
  height: number
  failure: PageFailure | null
}

/** Placeholder for messages that are loading or failed to load. */
function Unloaded({ count, height, failure }: UnloadedProps) {
  if (failure !== null) {
    return (
      <div className="unloaded" style={{ minHeight: height }}>
        <div className="unloaded-note">
          <Failed what="These messages could not be read." error={failure.error} onRetry={failure.retry} />
        </div>
      </div>
    )
  }
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

/** Undone or sub-agent messages, collapsed to one line with the cause and cost. */
function FoldArticle(props: { fold: Fold; dividers: Divider[]; total: number; onFound: Props['onJump'] }) {
  const { fold, dividers, total, onFound } = props
  const store = useContext(OpenStoreContext)
  const firstOffset = fold.branch?.firstOffset ?? fold.messages[0]?.offset ?? 0
  const isAgent = fold.cause === 'agent'
  return (
    <article
      className="fold"
      aria-label={foldHeadline(fold)}
      aria-posinset={firstOffset + 1}
      aria-setsize={total}
    >
      <Dividers dividers={dividers} />
      <button
        type="button"
        className={classNames('fold-head', isAgent && 'of-agent')}
        aria-expanded={fold.isOpen}
        onClick={() => store.set(foldKeys(fold).map(foldId), !fold.isOpen)}
      >
        <FoldHead fold={fold} tally={foldTally(fold)} isOpen={fold.isOpen} />
      </button>
      <FoldedWords fold={fold} onFound={onFound} />
    </article>
  )
}

/** Estimated height of an unknown message, and of a line in the server's estimate, in px. */
const UNLOADED_HEIGHT = 120
const LINE_HEIGHT = 24

const DIVIDER_HEIGHT = { compressed: 80, part: 80, resumed: 68, pause: 32, new: 32, turn: 19 }

/** A first estimate; the row is measured once it is drawn. */
export function estimateRowHeight(row: Row | undefined): number {
  if (row === undefined) return UNLOADED_HEIGHT
  if (row.kind === 'unloaded') return unloadedHeight(row)
  const above = row.dividers.reduce((sum, { kind }) => sum + DIVIDER_HEIGHT[kind], 0)
  if (row.kind === 'fold') return above + 60
  const { message } = row
  const text = message.content.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 300), 0)
  // a prompt is drawn on a padded plate
  const padding = message.origin === 'human' ? 14 : 8
  const said = text === 0 ? 0 : padding + Math.ceil(Math.min(text, 8_000) / 95) * 24
  const thoughts = message.thoughts.length > 0 ? 26 : 0
  const calls = message.toolCalls.reduce((sum, call) => sum + (call.failed ? 260 : 31), 0)
  const isOpenBelow = row.run?.at === 'first' || row.run?.at === 'middle'
  return Math.max(above + said + thoughts + calls + (calls > 0 && !isOpenBelow ? 9 : 0), 31)
}

/** Of an unloaded page. */
function unloadedHeight({ count, lines }: Extract<Row, { kind: 'unloaded' }>): number {
  return lines === null ? count * UNLOADED_HEIGHT : Math.max(lines, 1) * LINE_HEIGHT
}

interface Parts {
  virtualizer: Virtualizer<Window, HTMLDivElement>
  latestRows: RefObject<readonly Row[]>
  step: ConversationHandle['step']
  store: OpenStore
}

/** Exposes the imperative handle of the conversation. */
export function useConversationHandle(handle: RefObject<ConversationHandle | null>, parts: Parts): void {
  const { virtualizer, latestRows, step, store } = parts
  useImperativeHandle(handle, () => ({
    scrollTo: (offset) => {
      const index = Math.max(
        latestRows.current.findLastIndex((row) => firstOffsetOf(row) <= offset),
        0,
      )
      const row = latestRows.current[index]
      const top = virtualizer.getOffsetForIndex(index, 'start')?.[0] ?? 0
      const within =
        row?.kind === 'unloaded' ? (unloadedHeight(row) * Math.max(offset - row.offset, 0)) / row.count : 0
      window.scrollTo({ top: top + within - STICKY_PX, behavior: 'instant' })
    },
    step,
    openThoughts: (messageKeys, isOpen) =>
      store.set(
        messageKeys.map((key) => `${key}/thoughts`),
        isOpen,
      ),
  }))
}

/** Messages beyond the window to prefetch, and how many more in the scroll direction. */
const BESIDE = 20
const AHEAD = 80

interface Sight {
  virtualizer: Virtualizer<Window, HTMLDivElement>
  rows: readonly Row[]
  want: (pages: readonly number[]) => void
  /** Where the reader is about to go; null: nowhere else. */
  also: readonly [number | null, number | null]
}

/** Requests the pages in view and those at the reader's destination. */
export function useWantedPages({ virtualizer, rows, want, also: [one, other] }: Sight): void {
  const range = virtualizer.range
  const direction = virtualizer.scrollDirection
  useEffect(() => {
    const seen = range === null ? [0] : visiblePages(rows, range, direction)
    want([...new Set([...seen, ...[one, other].filter((page) => page !== null)])])
  }, [rows, range, direction, one, other, want])
}

/** Pages of the visible rows first, then of those coming into view. `direction`: of scrolling, if any. */
export function visiblePages(
  rows: readonly Row[],
  { startIndex, endIndex }: { startIndex: number; endIndex: number },
  direction: 'forward' | 'backward' | null,
): number[] {
  const pages = new Set<number>()
  for (let index = startIndex; index <= endIndex; index += 1) addPages(pages, rows[index])
  addBeyond(pages, rows, startIndex - 1, -1, direction === 'backward' ? AHEAD : BESIDE)
  addBeyond(pages, rows, endIndex + 1, 1, direction === 'forward' ? AHEAD : BESIDE)
  return [...pages]
}

/** An unloaded row is a whole page of messages. */
function addBeyond(pages: Set<number>, rows: readonly Row[], from: number, by: 1 | -1, most: number): void {
  let left = most
  for (let index = from; left > 0 && index >= 0 && index < rows.length; index += by) {
    const row = rows[index]
    addPages(pages, row)
    left -= row?.kind === 'unloaded' ? row.count : 1
  }
}

function addPages(pages: Set<number>, row: Row | undefined): void {
  if (row?.kind === 'fold') for (const at of placesOf(row.fold)) pages.add(pageOf(at))
  else if (row !== undefined) pages.add(pageOf(row.at))
}

/** For a branch its start is enough, as a seam may be above it: its messages have their own rows. */
function placesOf({ branch, at, messages }: Fold): number[] {
  return branch === null ? messages.map((message) => message.at) : [at]
}
