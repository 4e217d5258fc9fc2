import { type RefObject, useRef } from 'react'
import { useShortcuts } from '../../../lib/hooks/use-shortcuts.ts'

/** j and k walk the hits by moving the focus, so that Enter and screen readers follow. Takes the element around them. */
export function useHitKeys(): RefObject<HTMLDivElement | null> {
  const results = useRef<HTMLDivElement>(null)
  function step(direction: 1 | -1): undefined {
    const hits = [...(results.current?.querySelectorAll<HTMLElement>('.hit') ?? [])]
    const from = document.activeElement instanceof HTMLElement ? hits.indexOf(document.activeElement) : -1
    const position = from === -1 && direction === -1 ? hits.length - 1 : from + direction
    hits[position]?.focus()
  }
  useShortcuts({ nextRow: () => step(1), previousRow: () => step(-1) })
  return results
}
