import './top-bar.css'
import { Link } from '@tanstack/react-router'
import { ChartColumn, House, Keyboard, Search } from 'lucide-react'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { Mark } from '../../ui/signs/mark.tsx'
import { GlobalSearch } from './global-search.tsx'
import { ThemeButton } from './theme-button.tsx'

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
