import '../../ui/controls/search-box.css'
import './find-bar.css'
import type { FindResult } from '@gemini-dash/api'
import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useActions } from '../../lib/actions/use-actions.ts'
import { formatCount } from '../../lib/figures/format.ts'
import { useKeptCalls } from '../../lib/hooks/use-kept-calls.ts'
import { useLatest } from '../../lib/hooks/use-latest.ts'
import { useSettlingText } from '../../lib/hooks/use-settling-text.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { foundPlaces, stepFrom } from './found-places.ts'

interface Props {
  q: string
  /** undefined: not known yet. */
  hits: FindResult['hits'] | undefined
  /** Why the hits are not known, where asking failed. */
  children?: ReactNode
  /** The message that was gone to last. */
  hereKey: string | null
  /** Place of the message at the top of the window. */
  place: number
  /** Grows when the reader asks for the bar; 0: a search led here. */
  focusCount: number
  onQuery: (q: string) => void
  onJump: (messageKey: string, offset: number) => void
  onClose: () => void
}

/** What the search that led here finds in this session, one message after the other. */
export function FindBar({ q, hits, children, hereKey, place, focusCount, onQuery, onJump, onClose }: Props) {
  // emptied, it still finds what it found last
  const [draft, type] = useSettlingText(q, (text) => text.trim() !== '' && onQuery(text))
  const input = useRef<HTMLInputElement>(null)
  // opened by hand it is empty, and waits for words
  useEffect(() => {
    if (focusCount > 0) input.current?.select()
  }, [focusCount])
  const places = foundPlaces(hits ?? [])
  const indexOf = (key: string | null) => places.findIndex(({ messageKey }) => messageKey === key)
  const index = indexOf(hereKey)
  const latestKey = useLatest(hereKey)

  const stepOrKeep = useKeptCalls<1 | -1>(hits !== undefined, (steps) => {
    const at = steps.reduce((from, by) => stepFrom(places, from, place, by), indexOf(latestKey.current))
    const next = places[at]
    if (next === undefined) return
    latestKey.current = next.messageKey
    onJump(next.messageKey, next.offset)
  })
  const step = (by: 1 | -1): undefined => void stepOrKeep(by)
  useActions({ nextHit: () => step(1), previousHit: () => step(-1) })

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
  }
  return (
    <search className="find-bar" aria-label="Find in this session">
      <div className="search-box">
        <Icon of={Search} small />
        <input
          ref={input}
          type="text"
          inputMode="search"
          aria-label="Find in this session"
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          value={draft}
          onKeyDown={onKeyDown}
          onChange={(event) => type(event.target.value)}
        />
      </div>
      {children}
      <output className="find-count tabular">
        {hits === undefined ? '' : q === '' ? '' : countText(index, places.length)}
      </output>
      <IconButton
        icon={ChevronUp}
        label="Previous hit (Shift+N)"
        disabled={places.length === 0}
        onClick={() => step(-1)}
      />
      <IconButton
        icon={ChevronDown}
        label="Next hit (n)"
        disabled={places.length === 0}
        onClick={() => step(1)}
      />
      <IconButton icon={X} label="Close find" onClick={onClose} />
    </search>
  )
}

function countText(index: number, total: number): string {
  if (total === 0) return 'Nothing found'
  return index === -1 ? `${formatCount(total)} found` : `${formatCount(index + 1)} of ${formatCount(total)}`
}
