import type { ReactNode } from 'react'

interface Props<Item> {
  items: readonly Item[]
  as: 'span' | 'div' | 'tbody'
  rowHeightPx: number
  children: (items: readonly Item[], start: number) => ReactNode
}

export const BLOCK_ROWS = 200

/** All of them. */
export function LazyBlocks<Item>({ items, as: Element, children }: Props<Item>) {
  const starts = Array.from(
    { length: Math.ceil(items.length / BLOCK_ROWS) },
    (_, block) => block * BLOCK_ROWS,
  )
  return starts.map((start) => (
    <Element key={start}>{children(items.slice(start, start + BLOCK_ROWS), start)}</Element>
  ))
}
