import './top-bar.css'
import { Link } from '@tanstack/react-router'
import { ChartColumn, House, Keyboard, Moon, Search, Sun, SunMoon } from 'lucide-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import { type Theme, theme } from '../../lib/browser/theme.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { Mark } from '../../ui/signs/mark.tsx'

const ICONS = { system: SunMoon, light: Sun, dark: Moon }
const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }

interface Props {
  search: ReactNode
  crumbsRef: (element: HTMLElement | null) => void
  onShortcuts: () => void
}

/** The bar over every page. `crumbsRef` takes the place where pages put their crumbs. */
export function TopBar({ search, crumbsRef, onShortcuts }: Props) {
  return (
    <header className="top-bar">
      <Link to="/" className="brand" aria-label="gemini-dash, all sessions">
        <Mark />
        <span>gemini-dash</span>
      </Link>
      <nav className="crumbs" aria-label="Breadcrumb" ref={crumbsRef} />
      {search}
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
