import { type ReactNode, useEffect, useRef, useState } from 'react'
import { usePaper } from '../lib/paper.ts'

interface Props<Item> {
  items: readonly Item[]
  /** Element of a block; must be valid between its parent and the rows. */
  as: 'span' | 'div' | 'tbody'
  /** Estimated height of a row that is not drawn. */
  rowHeightPx: number
  children: (items: readonly Item[], start: number) => ReactNode
}

export const BLOCK_ROWS = 200
/** Distance at which a block is drawn before it is visible. */
const AHEAD = '800px 0px'

/** Many rows inside a scroll region: blocks are drawn when they come near, and then stay. */
export function LazyBlocks<Item>({ items, as, rowHeightPx, children }: Props<Item>) {
  const starts = Array.from(
    { length: Math.ceil(items.length / BLOCK_ROWS) },
    (_, block) => block * BLOCK_ROWS,
  )
  const isWhole = usePaper() !== null
  return starts.map((start) => {
    const block = items.slice(start, start + BLOCK_ROWS)
    return (
      <Block key={start} as={as} isDrawnAtOnce={isWhole || start === 0} heightPx={block.length * rowHeightPx}>
        {() => children(block, start)}
      </Block>
    )
  })
}

interface BlockProps {
  as: 'span' | 'div' | 'tbody'
  isDrawnAtOnce: boolean
  heightPx: number
  children: () => ReactNode
}

function Block({ as: Element, isDrawnAtOnce, heightPx, children }: BlockProps) {
  const [isDrawn, setDrawn] = useState(isDrawnAtOnce)
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = place.current
    if (isDrawn || element === null) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setDrawn(true),
      { root: element.closest('.scroll-x'), rootMargin: AHEAD },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [isDrawn])
  if (isDrawn) return <Element>{children()}</Element>
  const hold = (element: HTMLElement | null) => {
    place.current = element
  }
  return Element === 'tbody' ? (
    <tbody>
      <tr ref={hold} style={{ height: heightPx }} />
    </tbody>
  ) : (
    <Element ref={hold} className="block-placeholder" style={{ height: heightPx }} />
  )
}

/** A large value is slow to draw: its deeper levels start closed. */
const OPEN_LEVELS = 2
const SMALL_LENGTH = 2_000
/** Characters per line in a narrow window. */
const LETTERS = 60

/** Number of levels that start open. */
export function openLevels(value: unknown): number {
  return (JSON.stringify(value) ?? '').length <= SMALL_LENGTH ? Number.POSITIVE_INFINITY : OPEN_LEVELS
}

/** Approximate number of lines of a value's tree, down to that level. */
export function linesOfJson(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 1 + Math.floor(String(value).length / LETTERS)
  const parts = levels > 0 ? Object.values(value) : []
  return parts.reduce((sum: number, part) => sum + linesOfJson(part, levels - 1), parts.length > 0 ? 2 : 1)
}
