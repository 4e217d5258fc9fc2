import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { type Suggestions, suggestQuery } from '../../../api/suggest.ts'

/** A suggestion taken: the whole query as it is then, and where the caret goes. */
export type Completed = { text: string; caret: number; isFinished: boolean }

/** The list under the box: what it offers, which of it is selected, and the keys that walk, take and close it. */
export function useSuggestions(draft: string, caret: number, onTake: (completed: Completed) => void) {
  const [isWanted, setIsWanted] = useState(false)
  const [selected, setSelected] = useState<string | null>(null)
  const { data } = useQuery(suggestQuery(draft, caret, isWanted))
  const items = isWanted && draft.trim() !== '' ? (data?.items ?? []) : []
  const isOpen = items.length > 0
  // By its label: another list may come while one of this one is selected.
  const active = items.findIndex(({ label }) => label === selected)
  const select = (index: number) => setSelected(items[index]?.label ?? null)

  function take(index: number): boolean {
    const completed = data === undefined ? null : complete(data, draft, index)
    if (completed === null) return false
    setSelected(null)
    setIsWanted(!completed.isFinished)
    onTake(completed)
    return true
  }
  /** Whether that key was for the list. */
  function answersTo(key: string): boolean {
    if (key === 'ArrowDown') select(active + 1)
    else if (key === 'ArrowUp') select(active < 0 ? items.length - 1 : active - 1)
    else if (key === 'Escape') setIsWanted(false)
    else return key === 'Enter' && take(active)
    return true
  }
  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen || event.nativeEvent.isComposing || !answersTo(event.key)) return
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    items,
    isOpen,
    active,
    take,
    onKeyDown,
    open: () => {
      setSelected(null)
      setIsWanted(true)
    },
    close: () => setIsWanted(false),
  }
}

/** The list may be of a moment ago: what was typed on since in its word is replaced with that word, and nothing else. */
function complete({ q, start, end, items }: Suggestions, draft: string, index: number): Completed | null {
  const item = items[index]
  const before = q.slice(0, start)
  const after = q.slice(end)
  if (item === undefined || !draft.startsWith(before) || !draft.slice(start).endsWith(after)) return null
  const isOneWord = q === draft || !/\s/.test(draft.slice(start, draft.length - after.length))
  if (!isOneWord) return null
  return {
    text: `${before}${item.text}${after}`,
    caret: start + item.text.length,
    isFinished: !item.text.endsWith(':'),
  }
}
