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
  /** Number of the turn that is being read. */
  current: number
  fate: SharedFate
  /** Only the first turns are known. */
  isPartial: boolean
  onJump: (messageKey: string, offset: number) => void
}

const ITEM_HEIGHT = 28
/** Where it is touched. */
const NARROW_ITEM_HEIGHT = 36
const SEAM_HEIGHT = 24

/** The session in one line per prompt, of which only those in sight are drawn. The one being read is marked and kept in sight. */
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
  // of highlights the last one up to here
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
              className={item.kind === 'seam' ? 'outline-seam' : undefined}
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
  /** Keys of the messages with which a later run went on. */
  resumedKeys: readonly string[]
}

/** Turns in order, with a seam before the first that begins after a compression or a resume. Turn 0 has no prompt to show. */
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

/** With so many turns an outline shows the highlights first. */
export const HIGHLIGHTS_FROM = 40
const MOST_EXPENSIVE = 5
/** A turn is expensive from this share of the session on. */
const EXPENSIVE_SHARE = 0.05

/** The first and the last turn, those in which something failed, and the most expensive ones. */
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

/** A call of it failed, or its request. */
export function hasFailed({ toolErrors, failure }: Turn): boolean {
  return toolErrors > 0 || failure !== null
}

/** What became of the failed calls of a session, where that is the same for all of them. */
type SharedFate = 'stillFailing' | 'neverRerun' | 'laterSucceeded'

interface OutlineTurnProps {
  turn: Turn
  isCurrent: boolean
  fate: SharedFate
  /** null: the link alone leads there. */
  onJump: ((messageKey: string, offset: number) => void) | null
}

/** One turn: number, prompt, and whether something failed in it. */
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
      <span className="outline-number">{turn.number}</span>
      <span className="outline-prompt" dir="auto">
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
  /** Says what the menu is for. */
  label: string
  /** What is chosen. */
  face: string
  className?: string
  groups: readonly MenuGroup[]
}

/** A button that names what is chosen, and offers the others. */
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
