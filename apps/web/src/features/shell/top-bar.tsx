import './top-bar.css'
import '../../ui/controls/search-box.css'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { ChartColumn, House, Keyboard, Moon, Search, Sun, SunMoon } from 'lucide-react'
import { type FormEvent, useRef, useSyncExternalStore } from 'react'
import { type Theme, theme } from '../../lib/browser/theme.ts'
import { useShortcuts } from '../../lib/hooks/use-shortcuts.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { Mark } from '../../ui/signs/mark.tsx'

const ICONS = { system: SunMoon, light: Sun, dark: Moon }
const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }

interface Props {
  crumbsRef: (element: HTMLElement | null) => void
  onShortcuts: () => void
}

/** The bar over every page. `crumbsRef` takes the place where pages put their crumbs. */
export function TopBar({ crumbsRef, onShortcuts }: Props) {
  return (
    <header className="top-bar">
      <Link to="/" className="brand" aria-label="gemini-dash, all sessions">
        <Mark />
        <span>gemini-dash</span>
      </Link>
      <nav className="crumbs" aria-label="Breadcrumb" ref={crumbsRef} />
      <GlobalSearch />
      <nav className="main-nav" aria-label="Main">
        <Link to="/search" className="narrow-only" aria-label="Search">
          <Icon of={Search} />
        </Link>
        <Link to="/" activeOptions={{ exact: true, includeSearch: false }} aria-label="Sessions">
          <Icon of={House} />
          <span className="wide-only">Sessions</span>
        </Link>
        <Link to="/usage" activeOptions={{ includeSearch: false }} aria-label="Usage">
          <Icon of={ChartColumn} />
          <span className="wide-only">Usage</span>
        </Link>
        <IconButton className="wide-only" icon={Keyboard} label="Keys (?)" onClick={onShortcuts} />
        <ThemeButton />
      </nav>
    </header>
  )
}

/** Steps through system, light and dark. */
function ThemeButton() {
  const current = useSyncExternalStore(theme.subscribe, theme.get)
  return (
    <IconButton icon={ICONS[current]} label={`Theme: ${current}`} onClick={() => theme.set(NEXT[current])} />
  )
}

/** Search over all sessions, from every page but the search page, which has a larger box of its own. */
function GlobalSearch() {
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
