import '../../ui/controls/search-box.css'
import './quick-search.css'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useRouterState } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { isUnanswered } from '../../api/request/is-unanswered.ts'
import { quickQuery } from '../../api/search.ts'
import { useActions } from '../../lib/actions/use-actions.ts'
import { Icon } from '../../ui/signs/icon.tsx'
import { FailedLine } from '../../ui/states/failed-line.tsx'
import { QuickList, quickItems } from './quick-list.tsx'

const DEBOUNCE_MS = 150
/** Not of what is typed. */
const NOT_SEARCHED = { q: '', sessions: [], places: [], titles: {}, total: 0 }

/** Search over all sessions, from every page but the search page, which has a larger box of its own. */
export function QuickSearch() {
  const isOnSearchPage = useRouterState({ select: (state) => state.location.pathname === '/search' })
  return isOnSearchPage ? <span className="top-bar-search wide-only" /> : <QuickBox />
}

/** The box, and below it while somebody types the first sessions and places; Enter without a choice leads to all. */
function QuickBox() {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLElement>(null)
  const listId = useId()
  const [draft, setDraft] = useState('')
  const [isWanted, setIsWanted] = useState(false)
  // by its key: another list may come while one of this one is chosen
  const [chosenKey, setChosenKey] = useState<string | null>(null)
  const asked = useSettled(draft.trim(), DEBOUNCE_MS)
  const answer = useQuery(quickQuery(isWanted ? asked : ''))
  // what is typed can be searched for all the same
  const data = isUnanswered(answer) ? NOT_SEARCHED : answer.data
  const here = useLocation({ select: ({ href }) => href })
  useEffect(() => {
    void here
    setIsWanted(false)
  }, [here])
  useActions({ focusSearch: () => focusVisible(input.current) })

  const isOpen = isWanted && draft.trim() !== '' && data !== undefined
  const items = isOpen ? quickItems(data, draft.trim()) : []
  const active = items.findIndex(({ key }) => key === chosenKey)
  const choose = (index: number) => setChosenKey(items[index]?.key ?? null)

  function search(event: FormEvent) {
    event.preventDefault()
    setIsWanted(false)
    if (active === -1) void navigate({ to: '/search', search: { q: draft.trim() || undefined } })
    else box.current?.querySelector<HTMLElement>(`#${CSS.escape(`${listId}-${active}`)}`)?.click()
  }
  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen || event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') choose(active + 1)
    else if (event.key === 'ArrowUp') choose(active < 0 ? items.length - 1 : active - 1)
    else if (event.key === 'Escape') setIsWanted(false)
    else return
    event.preventDefault()
  }
  return (
    <search
      ref={box}
      className="top-bar-search quick-search wide-only"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setIsWanted(false)
      }}
    >
      <form className="search-box" onSubmit={search}>
        <Icon of={Search} small />
        <input
          ref={input}
          type="search"
          name="q"
          role="combobox"
          aria-label="Search all sessions"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active === -1 ? undefined : `${listId}-${active}`}
          placeholder="Search all sessions"
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          value={draft}
          onChange={(event) => {
            setDraft(event.target.value)
            setChosenKey(null)
            setIsWanted(true)
          }}
          onKeyDown={onKeyDown}
        />
        <span className="key-cap" aria-hidden="true">
          /
        </span>
      </form>
      {isOpen && (
        <QuickList
          id={listId}
          items={items}
          active={active}
          isStale={data !== NOT_SEARCHED && data.q !== draft.trim()}
        >
          <FailedLine what="This could not be searched." asked={answer} />
        </QuickList>
      )}
    </search>
  )
}

/** The text once it has stood for a while. */
function useSettled(text: string, delayMs: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), delayMs)
    return () => window.clearTimeout(timer)
  }, [text, delayMs])
  return settled
}

function focusVisible(input: HTMLInputElement | null): false | undefined {
  if (!input?.checkVisibility()) return false
  input.select()
  input.focus()
  return undefined
}
