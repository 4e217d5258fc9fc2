import './outline.css'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { Compression, Turn } from 'gemini-sessions'
import { ChevronDown, CircleX, TriangleAlert } from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { classNames } from '../lib/browser.ts'
import { useIsNarrow } from '../lib/hooks.ts'
import { isTurnTakenBack, SUPERSEDED_WORD } from '../lib/session-words.ts'
import { MenuButton } from '../ui/buttons/button.tsx'
import { MenuChoice } from '../ui/buttons/menu-item.tsx'
import { Icon } from '../ui/icons.tsx'

interface Props {
  items: readonly OutlineItem[]
  /** Number of the turn being read. */
  current: number
  fate: SharedFate
  /** Only the first turns are known. */
  isPartial: boolean
  onJump: (messageKey: string, offset: number) => void
}

const ITEM_HEIGHT = 28
/** For touch. */
const NARROW_ITEM_HEIGHT = 36
const SEAM_HEIGHT = 24

/** The session with one line per prompt, virtualized. The turn being read is marked and scrolled into view. */
export const OutlineView = memo(function Outline({ items, current, fate, isPartial, onJump }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const itemHeight = useIsNarrow() ? NARROW_ITEM_HEIGHT : ITEM_HEIGHT
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => (items[index]?.kind === 'seam' ? SEAM_HEIGHT : itemHeight),
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 10,
  })
  // with highlights only, the last one up to the current turn
  const index = items.findLastIndex((item) => item.kind === 'turn' && item.turn.number <= current)
  useEffect(() => {
    if (index !== -1) virtualizer.scrollToIndex(index, { align: 'auto' })
  }, [index, virtualizer])
  if (items.length === 0)
    return <p className="outline-none">{isPartial ? 'Loading the turns…' : 'No such turn.'}</p>
  return (
    <nav aria-label="Turns" className="outline-box" ref={box}>
      <ol className="outline-space" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index: at, key, start }) => {
          const item = items[at]
          if (item === undefined) return null
          return (
            <li
              key={key}
              data-index={at}
              className={item.kind === 'seam' ? 'outline-seam meta' : undefined}
              style={{ top: start }}
              aria-setsize={items.length}
              aria-posinset={at + 1}
            >
              {item.kind === 'seam' ? (
                item.word
              ) : (
                <OutlineTurn turn={item.turn} isCurrent={at === index} fate={fate} onJump={onJump} />
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
})

type OutlineItem =
  | { kind: 'turn'; key: string; turn: Turn }
  | { kind: 'seam'; key: string; word: 'compressed' | 'resumed' }

interface OutlineSource {
  turns: readonly Turn[]
  compressions: readonly Compression[]
  /** Keys of the messages at which a later run resumed. */
  resumedKeys: readonly string[]
}

/** Turns in order, with a seam before the first one after a compression or a resume. Turn 0 has no prompt and is left out. */
export function outlineItems({ turns, compressions, resumedKeys }: OutlineSource): OutlineItem[] {
  const resumed = new Set(resumedKeys)
  const items: OutlineItem[] = []
  let previousOffset = -1
  for (const turn of turns) {
    if (turn.number === 0) continue
    const isAfterSeam = compressions.some(
      ({ offset }) => offset > previousOffset && offset <= turn.firstOffset,
    )
    if (items.length > 0) {
      const key = `seam-${turn.messageKey}`
      if (isAfterSeam) items.push({ kind: 'seam', key, word: 'compressed' })
      else if (resumed.has(turn.messageKey)) items.push({ kind: 'seam', key, word: 'resumed' })
    }
    items.push({ kind: 'turn', key: turn.messageKey, turn })
    previousOffset = turn.firstOffset
  }
  return items
}

/** From this many turns on, the outline defaults to the highlights. */
export const HIGHLIGHTS_FROM = 40
const MOST_EXPENSIVE = 5
/** Minimum share of the session's cost for an expensive turn. */
const EXPENSIVE_SHARE = 0.05

/** The first and last turn, turns with failures, and the most expensive ones. */
export function highlights(turns: readonly Turn[]): Turn[] {
  const asked = turns.filter(({ number }) => number > 0)
  const hasPrices = asked.some(({ cost }) => cost.usd !== null)
  const sizeOf = ({ cost, usage }: Turn) => (hasPrices ? (cost.usd ?? 0) : usage.total)
  const total = asked.reduce((sum, turn) => sum + sizeOf(turn), 0)
  const expensive = asked
    .filter((turn) => total > 0 && sizeOf(turn) >= total * EXPENSIVE_SHARE)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))
    .slice(0, MOST_EXPENSIVE)
  const wanted = new Set([asked[0], asked.at(-1), ...asked.filter(hasFailed), ...expensive])
  return asked.filter((turn) => wanted.has(turn))
}

/** Whether one of its tool calls failed, or a request. */
export function hasFailed({ toolErrors, failure }: Turn): boolean {
  return toolErrors > 0 || failure !== null
}

/** What became of the failed tool calls of a session, if the same for all. */
type SharedFate = 'stillFailing' | 'neverRerun' | 'laterSucceeded'

interface OutlineTurnProps {
  turn: Turn
  isCurrent: boolean
  fate: SharedFate
  /** null: the link alone navigates. */
  onJump: ((messageKey: string, offset: number) => void) | null
}

/** One turn: its number, prompt and failures. */
const OutlineTurn = memo(function OutlineTurn({ turn, isCurrent, fate, onJump }: OutlineTurnProps) {
  return (
    <a
      className={classNames('outline-turn', isTurnTakenBack(turn) && 'taken-back')}
      href={`#m-${turn.messageKey}`}
      aria-current={isCurrent ? 'true' : undefined}
      title={turn.superseded === null ? undefined : SUPERSEDED_WORD[turn.superseded]}
      onClick={(event) => {
        if (onJump === null || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onJump(turn.messageKey, turn.firstOffset)
      }}
    >
      <span className="outline-number meta">{turn.number}</span>
      <span className="outline-prompt one-line" dir="auto">
        {turn.prompt.trim().split('\n', 1)[0] || 'No text'}
      </span>
      {hasFailed(turn) && <FailureSign turn={turn} fate={fate} />}
    </a>
  )
})

function FailureSign({ turn: { failure }, fate }: { turn: Turn; fate: SharedFate }) {
  const isRefused = failure !== null
  return (
    <span
      className={classNames('outline-failed', isRefused ? 'stillFailing' : fate)}
      role="img"
      aria-label={isRefused ? 'API error' : 'tool call failed'}
      title={failure?.text}
    >
      <Icon of={isRefused || fate === 'stillFailing' ? CircleX : TriangleAlert} small />
    </span>
  )
}

interface MenuGroup {
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  onChange: (value: string) => void
}

interface MenuGroupProps {
  /** Accessible name of the menu. */
  label: string
  /** The current choice. */
  face: string
  className?: string
  groups: readonly MenuGroup[]
}

/** A menu button that shows the current choice. */
export function OutlineMenu({ label, face, className = 'button quiet tiny', groups }: MenuGroupProps) {
  return (
    <MenuButton
      className={className}
      label={`${label}: ${face}`}
      face={
        <>
          {face}
          <Icon of={ChevronDown} small />
        </>
      }
    >
      {groups.map(({ label: legend, value, options, onChange }) => (
        <fieldset key={legend} className="menu-group" aria-label={legend}>
          {options.map((option) => (
            <MenuChoice
              key={option.value}
              label={option.label}
              isChosen={option.value === value}
              onChoose={() => onChange(option.value)}
            />
          ))}
        </fieldset>
      ))}
    </MenuButton>
  )
}
