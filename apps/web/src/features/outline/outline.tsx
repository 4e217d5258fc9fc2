import '../../ui/controls/search-box.css'
import './outline.css'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { Compression, Turn } from 'gemini-sessions'
import { ListFilter } from 'lucide-react'
import { memo, useEffect, useMemo, useRef, useState } from 'react'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { Icon } from '../../ui/signs/icon.tsx'
import { filterItems, outlineItems } from './outline-items.ts'
import { OutlineTurn } from './outline-turn.tsx'

interface Props {
  sessionRef: string
  turns: readonly Turn[]
  compressions: readonly Compression[]
  resumedKeys: readonly string[]
  /** Number of the turn that is being read. */
  current: number
  /** Only the first turns are known. */
  isPartial: boolean
  onJump: (messageKey: string, offset: number) => void
}

/** So many can be scanned by eye. */
const FILTER_FROM = 12
const ITEM_HEIGHT = 44
const SEAM_HEIGHT = 28

/** The session in one line per prompt, of which only those in sight are drawn. The one being read is marked and kept in sight. */
export const OutlineView = memo(function Outline({
  sessionRef,
  turns,
  compressions,
  resumedKeys,
  current,
  isPartial,
  onJump,
}: Props) {
  const all = useMemo(
    () => outlineItems({ turns, compressions, resumedKeys }),
    [turns, compressions, resumedKeys],
  )
  const [words, setWords] = useState('')
  const items = useMemo(() => filterItems(all, words), [all, words])
  const largest = useMemo(() => turns.reduce((most, turn) => Math.max(most, turn.usage.total), 1), [turns])
  const box = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => (items[index]?.kind === 'seam' ? SEAM_HEIGHT : ITEM_HEIGHT),
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 10,
  })
  const index = items.findIndex((item) => item.kind === 'turn' && item.turn.number === current)
  useEffect(() => {
    if (index !== -1) virtualizer.scrollToIndex(index, { align: 'auto' })
  }, [index, virtualizer])
  const total = turns.filter((turn) => turn.number > 0).length
  return (
    <nav aria-label="Outline" className="outline-nav">
      <h2 className="outline-title">
        {isPartial
          ? 'The rest is being read …'
          : words.trim() === ''
            ? formatPlural(total, 'turn')
            : `${formatCount(items.length)} of ${formatPlural(total, 'turn')}`}
      </h2>
      {total >= FILTER_FROM && !isPartial && (
        <div className="search-box outline-filter">
          <Icon of={ListFilter} small />
          <input
            type="text"
            inputMode="search"
            aria-label="Filter turns"
            placeholder="Filter turns"
            autoComplete="off"
            spellCheck={false}
            dir="auto"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        </div>
      )}
      {items.length === 0 && words !== '' && <p className="outline-none">No prompt has these words.</p>}
      <div className="outline-box" ref={box}>
        <ol className="outline-space" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const item = items[index]
            if (item === undefined) return null
            return (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className={item.kind === 'seam' ? 'outline-seam' : undefined}
                style={{ top: start }}
                aria-setsize={items.length}
                aria-posinset={index + 1}
              >
                {item.kind === 'seam' ? (
                  item.word
                ) : (
                  <OutlineTurn
                    sessionRef={sessionRef}
                    turn={item.turn}
                    share={Math.sqrt(item.turn.usage.total / largest)}
                    isCurrent={item.turn.number === current}
                    onJump={onJump}
                  />
                )}
              </li>
            )
          })}
        </ol>
      </div>
    </nav>
  )
})
