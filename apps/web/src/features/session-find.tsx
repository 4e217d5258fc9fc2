import './session-find.css'
import type { FindResult } from '@gemini-dash/api'
import { useEffect, useState } from 'react'
import { fetchTranscript } from '../api/session.ts'
import { focusMain, hearPageFind } from '../lib/browser.ts'
import { copyAndSay } from '../lib/copy.ts'
import { formatCount, formatPlural } from '../lib/figures.ts'
import { keptChoice } from '../lib/preferences.ts'
import { Button } from '../ui/buttons/button.tsx'

/** Whether the hint was shown; once per browser. */
const wasSaid = keptChoice<boolean>(
  'gemini-dash.find-hint',
  (kept) => kept === 'said',
  (isSaid) => (isSaid ? 'said' : null),
)

/** Shown when the browser's find is first used: it only sees messages near the window; names the key that searches everywhere. */
export function FindHint({ onFind }: { onFind: () => void }) {
  const [isShown, setIsShown] = useState(false)
  useEffect(
    () =>
      hearPageFind(() => {
        if (wasSaid.get() || isAllDrawn()) return
        wasSaid.set(true)
        setIsShown(true)
      }),
    [],
  )
  return (
    <div role="status">
      {isShown && (
        <p className="find-hint">
          <span>
            Your browser finds what is drawn near the window. Press <kbd>f</kbd> to find in the whole session.
          </span>
          <Button
            size="tiny"
            onClick={() => {
              setIsShown(false)
              onFind()
            }}
          >
            Find in this session
          </Button>
          <Button
            look="quiet"
            size="tiny"
            onClick={() => {
              setIsShown(false)
              focusMain()
            }}
          >
            Close
          </Button>
        </p>
      )}
    </div>
  )
}

/** After copying a selection that lacks messages, because distant ones are not drawn: offers the whole session. */
export function CopyHint({ sessionRef }: { sessionRef: string }) {
  const [words, setWords] = useState<string | null>(null)
  useEffect(() => {
    const hear = ({ target }: ClipboardEvent) => {
      if (target instanceof Element && target.closest('input, textarea') !== null) return
      setWords(isSelectionCut() ? CUT : null)
    }
    document.addEventListener('copy', hear)
    return () => document.removeEventListener('copy', hear)
  }, [])
  return (
    <div role="status">
      {words !== null && (
        <p className="find-hint">
          <span>{words}</span>
          {words === CUT && (
            <Button
              size="tiny"
              onClick={async () => {
                const text = fetchTranscript(sessionRef, { as: 'text', redact: 'on' })
                setWords((await copyAndSay(text)).said)
              }}
            >
              Copy the whole session
            </Button>
          )}
          <Button
            look="quiet"
            size="tiny"
            onClick={() => {
              setWords(null)
              focusMain()
            }}
          >
            Close
          </Button>
        </p>
      )}
    </div>
  )
}

const CUT = 'Only part of the selection was copied: messages far from the window aren’t drawn.'

/** Whether undrawn messages are between, before or after the drawn part of the selection. */
function isSelectionCut(): boolean {
  const selection = window.getSelection()
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return false
  const range = selection.getRangeAt(0)
  const drawn = drawnRows()
  const rows = drawn.filter((row) => range.intersectsNode(row))
  const isInRow = (node: Node) => rows.some((row) => row.contains(node))
  const goesBeyond = (node: Node, edge: HTMLElement | undefined, inward: HTMLElement[]) =>
    !isInRow(node) || (edge === inward[0] && isDrawnForWindow(inward))
  return (
    rows.some((row, at) => at > 0 && placeOf(row) !== placeOf(rows[at - 1]) + 1) ||
    rows.some((row) => row.querySelector('.unloaded') !== null) ||
    (!reachesTop(rows) && goesBeyond(range.startContainer, rows[0], drawn)) ||
    (!reachesBottom(rows) && goesBeyond(range.endContainer, rows.at(-1), drawn.toReversed()))
  )
}

/** Whether the outermost row is out of view and drawn only as overscan: the reader cannot have selected up to there by hand. */
function isDrawnForWindow(inward: readonly HTMLElement[]): boolean {
  const seen = inward.findIndex((row) => {
    const { top, bottom } = row.getBoundingClientRect()
    return bottom > 0 && top < window.innerHeight
  })
  return seen > 0 && Math.abs(placeOf(inward[seen]) - placeOf(inward[0])) === seen
}

function placeOf(row: HTMLElement | undefined): number {
  return Number(row?.dataset.index)
}

/** Whether the whole conversation is drawn. */
function isAllDrawn(): boolean {
  return reachesTop(drawnRows()) && reachesBottom(drawnRows())
}

function drawnRows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('.conversation-row')]
}

function reachesTop([first]: readonly HTMLElement[]): boolean {
  return first === undefined || offsetFrom(first, 'top') <= 1
}

function reachesBottom(rows: readonly HTMLElement[]): boolean {
  const last = rows.at(-1)
  return last === undefined || offsetFrom(last, 'bottom') <= 1
}

/** Distance between the edge of a row and that of the whole list. */
function offsetFrom(row: HTMLElement, side: 'top' | 'bottom'): number {
  const space = row.closest('.conversation-space')?.getBoundingClientRect()
  return space === undefined ? 0 : Math.abs(row.getBoundingClientRect()[side] - space[side])
}

type FoundPlace = { messageKey: string; offset: number; hits: number }

/** Messages with a hit, each once, in reading order. */
export function foundPlaces(hits: FindResult['hits']): FoundPlace[] {
  const places = new Map<string, FoundPlace>()
  for (const { messageKey, offset } of hits) {
    const place = places.get(messageKey)
    if (place === undefined) places.set(messageKey, { messageKey, offset, hits: 1 })
    else place.hits += 1
  }
  return [...places.values()]
}

/** Position among all hits of the current message, counted like in a search over all sessions. */
export function countText(places: readonly FoundPlace[], index: number): string {
  const upTo = (end: number) => places.slice(0, end).reduce((sum, { hits }) => sum + hits, 0)
  const total = upTo(places.length)
  if (total === 0) return 'Nothing found'
  if (index === -1) return formatPlural(total, 'result')
  const [first, last] = [upTo(index) + 1, upTo(index + 1)]
  return `${formatCount(first)}${last > first ? `–${formatCount(last)}` : ''} of ${formatCount(total)}`
}

/** Index of the next place, wrapping around. Before the first step, the nearest one from the top of the window. */
export function stepFrom(places: readonly FoundPlace[], index: number, top: number, by: 1 | -1): number {
  if (places.length === 0) return -1
  if (index !== -1) return (index + by + places.length) % places.length
  if (by === 1)
    return Math.max(
      places.findIndex(({ offset }) => offset >= top),
      0,
    )
  const before = places.findLastIndex(({ offset }) => offset < top)
  return before === -1 ? places.length - 1 : before
}
