import '../../ui/controls/search-box.css'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type FormEvent, useRef } from 'react'
import { useShortcuts } from '../../lib/hooks/use-shortcuts.ts'
import { Icon } from '../../ui/signs/icon.tsx'

/** Search over all sessions, from every page but the search page, which has a larger box of its own. */
export function GlobalSearch() {
  const isOnSearchPage = useRouterState({ select: (state) => state.location.pathname === '/search' })
  return isOnSearchPage ? <span className="top-bar-search wide-only" /> : <SearchForm />
}

function SearchForm() {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  useShortcuts({ focusSearch: () => focusVisible(input.current) })

  function search(event: FormEvent) {
    event.preventDefault()
    void navigate({ to: '/search', search: { q: input.current?.value.trim() || undefined } })
  }
  return (
    <search className="top-bar-search wide-only">
      <form className="search-box" onSubmit={search}>
        <Icon of={Search} small />
        <input
          ref={input}
          type="search"
          name="q"
          aria-label="Search all sessions"
          placeholder="Search all sessions"
          autoComplete="off"
        />
        <span className="key-cap" aria-hidden="true">
          /
        </span>
      </form>
    </search>
  )
}

function focusVisible(input: HTMLInputElement | null): false | undefined {
  if (!input?.checkVisibility()) return false
  input.select()
  input.focus()
  return undefined
}
