import { type RefObject, useEffect, useState } from 'react'

/** Keys of the rows that hold the focus or the selection: they stay drawn, however far away the reader scrolls. */
export function usePinnedRows(container: RefObject<HTMLElement | null>): readonly string[] {
  const [pinned, setPinned] = useState<readonly string[]>([])
  useEffect(() => {
    function update() {
      const element = container.current
      if (element === null) return
      const selection = document.getSelection()
      const isSelecting = selection !== null && !selection.isCollapsed
      const nodes = [
        document.activeElement,
        ...(isSelecting ? [selection.anchorNode, selection.focusNode] : []),
      ]
      const keys = nodes.flatMap((node) => rowKeyOf(node, element) ?? [])
      setPinned((current) => (current.join('\n') === keys.join('\n') ? current : keys))
    }
    document.addEventListener('selectionchange', update)
    document.addEventListener('focusin', update)
    document.addEventListener('focusout', update)
    return () => {
      document.removeEventListener('selectionchange', update)
      document.removeEventListener('focusin', update)
      document.removeEventListener('focusout', update)
    }
  }, [container])
  return pinned
}

function rowKeyOf(node: Node | null, container: HTMLElement): string | null {
  const element = node instanceof Element ? node : node?.parentElement
  if (!element || !container.contains(element)) return null
  return element.closest<HTMLElement>('[data-row-key]')?.dataset.rowKey ?? null
}
