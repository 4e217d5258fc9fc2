import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { type Suggestions, suggestQuery } from '../../api/suggest.ts'

/** A suggestion taken: the whole query as it is then, and where the caret goes. */
export type Completed = { text: string; caret: number; isFinished: boolean }

/** The list under the box: what it offers, which of it is selected, and the keys that walk, take and close it. */
export function useSuggestions(draft: string, caret: number, onTake: (completed: Completed) => void) {
  const [isWanted, setIsWanted] = useState(false)
  const [active, setActive] = useState(-1)
  const { data } = useQuery(suggestQuery(draft, caret, isWanted))
  const items = isWanted && draft.trim() !== '' ? (data?.items ?? []) : []
  const isOpen = items.length > 0

  function take(index: number) {
    const completed = data?.q === draft ? complete(data, index) : null
    if (completed === null) return
    setActive(-1)
    setIsWanted(!completed.isFinished)
    onTake(completed)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen || event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') setActive(active + 1 >= items.length ? -1 : active + 1)
    else if (event.key === 'ArrowUp') setActive(active < 0 ? items.length - 1 : active - 1)
    else if (event.key === 'Enter' && active >= 0) take(active)
    else if (event.key === 'Escape') setIsWanted(false)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    items,
    isOpen,
    active: isOpen ? active : -1,
    take,
    onKeyDown,
    open: () => {
      setActive(-1)
      setIsWanted(true)
    },
    close: () => setIsWanted(false),
  }
}

function complete({ q, start, end, items }: Suggestions, index: number): Completed | null {
  const item = items[index]
  if (item === undefined) return null
  return {
    text: `${q.slice(0, start)}${item.text}${q.slice(end)}`,
    caret: start + item.text.length,
    isFinished: !item.text.endsWith(':'),
  }
}
