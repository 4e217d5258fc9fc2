import type { MessageFilter } from '@gemini-dash/api'
import type { Virtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, type RefObject, useContext } from 'react'
import type { HitTerm } from '../../../content/text/hit-context.ts'
import { classNames } from '../../../lib/browser/class-names.ts'
import { Failed } from '../../../ui/states/failed.tsx'
import { PAGE_SIZE } from '../feed/page-size.ts'
import type { PageFailure } from '../feed/use-message-pages.ts'
import { Leads } from '../lead/leads.tsx'
import { FoldHead } from '../message/fold-head.tsx'
import { FoldedWords } from '../message/folded-words.tsx'
import { MessageArticle } from '../message/message-article.tsx'
import { OpenStoreContext } from '../open/open-store.ts'
import { foldHeadline } from '../rows/fold-headline.ts'
import { foldId } from '../rows/fold-id.ts'
import { foldKeys } from '../rows/fold-keys.ts'
import { foldTally } from '../rows/fold-tally.ts'
import type { Fold, Lead, Row } from '../rows/row.ts'
import { unloadedHeight } from './estimate-row-height.ts'

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
  /** The row that more may come to. */
  pendingKey: string | undefined
  targetKey: string | undefined
  /** What is marked in the target. */
  terms: readonly HitTerm[]
  onJump: (messageKey: string, offset: number) => void
}

/** The rows that are in sight and near it, each where it lies in the whole list. */
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

/** Page Down and Page Up lead from message to message, as screen readers expect of a feed; a long message is first read to its end. */
function stepThroughFeed(event: KeyboardEvent<HTMLElement>): void {
  const by = { PageDown: 1, PageUp: -1 }[event.key]
  if (by === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const here = (event.target as HTMLElement).closest('article')
  if (here === null || !isReadToItsEnd(here, by)) return
  const articles = [...event.currentTarget.querySelectorAll<HTMLElement>('article[aria-posinset]')]
  const next = articles[articles.indexOf(here) + by]
  if (next === undefined) return
  event.preventDefault()
  // what was taken back is one line, whose button opens it
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
  /** Why it could not be read. */
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
      return <FoldArticle fold={row.fold} lead={row.lead} total={total} onFound={onJump} />
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

/** Whether it stands for messages that could not be read. */
export function hasPageFailed(row: Row, failure: PageFailure | null): boolean {
  return row.kind === 'unloaded' && failure?.pages.includes(Math.floor(row.at / PAGE_SIZE)) === true
}

interface UnloadedProps {
  count: number
  height: number
  failure: PageFailure | null
}

/** The place of messages that are on their way, or could not be read. */
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

/** Messages that the CLI took back, or that a sub-agent wrote: closed to one line with the cause and what they cost. */
function FoldArticle(props: { fold: Fold; lead: Lead[]; total: number; onFound: Props['onJump'] }) {
  const { fold, lead, total, onFound } = props
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
      <Leads lead={lead} />
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
