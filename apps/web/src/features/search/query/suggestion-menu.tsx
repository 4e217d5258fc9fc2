import './suggestion-list.css'
import type { SuggestionList as Suggestions } from '@gemini-dash/api'
import { useEffect, useRef } from 'react'
import { classNames } from '../../../lib/browser/class-names.ts'

type Props = { id: string; items: Suggestions['items']; active: number; onTake: (index: number) => void }

/** What could be typed next, under the box. The box keeps the focus; the options are named to it by their ids. */
export function SuggestionMenu({ id, items, active, onTake }: Props) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div className="suggestions" id={id} role="listbox" aria-label="Suggestions" ref={list}>
      {items.map((item, index) => (
        <button
          key={item.label}
          id={suggestionId(id, index)}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={classNames('suggestion', index === active && 'active')}
          // The focus must not leave the box before the click is done.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(index)}
        >
          <code dir="auto">{item.label}</code>
          <span dir="auto">{item.hint}</span>
        </button>
      ))}
    </div>
  )
}

export function suggestionId(listId: string, index: number): string {
  return `${listId}-${index}`
}
