import './outline.css'
import type { Compression, Turn } from 'gemini-sessions'
import { memo, useEffect, useRef } from 'react'
import { formatPlural } from '../../lib/format.ts'
import { outlineItems } from './outline-items.ts'
import { OutlineTurn } from './outline-turn.tsx'

interface Props {
  turns: readonly Turn[]
  compressions: readonly Compression[]
  /** Number of the turn that is being read. */
  current: number
  onJump: (messageKey: string, offset: number) => void
}

/** The session in one line per prompt. The one being read is marked and kept in sight. */
export const Outline = memo(function Outline({ turns, compressions, current, onJump }: Props) {
  const items = outlineItems(turns, compressions)
  const largest = Math.max(1, ...turns.map((turn) => turn.usage.total))
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const item = list.current?.querySelector<HTMLElement>(`[data-turn="${current}"]`)
    const box = list.current?.closest<HTMLElement>('.session-outline')
    if (!item || !box) return
    const above = item.offsetTop - 80
    const below = item.offsetTop + item.offsetHeight + 80 - box.clientHeight
    if (box.scrollTop > above) box.scrollTop = above
    else if (box.scrollTop < below) box.scrollTop = below
  }, [current])
  const count = turns.filter((turn) => turn.number > 0).length
  return (
    <nav aria-label="Outline">
      <h2 className="outline-title">{formatPlural(count, 'turn')}</h2>
      <ol ref={list}>
        {items.map((item) =>
          item.kind === 'seam' ? (
            <li key={item.key} className="outline-seam">
              compressed
            </li>
          ) : (
            <OutlineTurn
              key={item.key}
              turn={item.turn}
              share={Math.sqrt(item.turn.usage.total / largest)}
              isCurrent={item.turn.number === current}
              onJump={onJump}
            />
          ),
        )}
      </ol>
    </nav>
  )
})
