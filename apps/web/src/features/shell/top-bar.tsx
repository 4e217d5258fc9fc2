import './top-bar.css'
import { Link } from '@tanstack/react-router'
import {
  Activity,
  ChartColumn,
  Columns2,
  Command,
  Ellipsis,
  Files,
  House,
  Keyboard,
  MessagesSquare,
  Moon,
  Search,
  Settings,
  Sun,
  SunMoon,
} from 'lucide-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import { type ActionName, actions } from '../../lib/actions/action-table.ts'
import { keyCaps, runAction } from '../../lib/actions/use-actions.ts'
import { theme } from '../../lib/browser/appearance.ts'
import { MenuButton } from '../../ui/buttons/menu-button.tsx'
import { MenuItem } from '../../ui/buttons/menu-item.tsx'
import { Icon } from '../../ui/signs/icon.tsx'

const THEME_ICONS = { system: SunMoon, light: Sun, dark: Moon }
const MORE_PAGES = [
  ['goHealth', Activity],
  ['goCompare', Columns2],
  ['goFiles', Files],
  ['goChats', MessagesSquare],
  ['goSettings', Settings],
] as const

interface Props {
  search: ReactNode
  crumbsRef: (element: HTMLElement | null) => void
}

/** The bar over every page. `crumbsRef` takes the place where pages put their crumbs. */
export function TopBar({ search, crumbsRef }: Props) {
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
        <MoreMenu />
        <PaletteButton />
      </nav>
    </header>
  )
}

/** The pages that have no room in the bar, the keys and the theme. */
function MoreMenu() {
  const current = useSyncExternalStore(theme.subscribe, theme.get)
  return (
    <MenuButton
      className="icon-button"
      label="More pages, settings and theme"
      face={
        <>
          <Icon of={Ellipsis} className="narrow-only" />
          <span className="wide-only">More</span>
        </>
      }
    >
      <MenuItem {...known('openPalette')} icon={Command} />
      {MORE_PAGES.map(([name, icon]) => (
        <MenuItem key={name} {...known(name)} icon={icon} />
      ))}
      <MenuItem {...known('showKeys')} icon={Keyboard} label="Keys" />
      <MenuItem {...known('changeTheme')} icon={THEME_ICONS[current]} label={`Theme: ${current}`} />
    </MenuButton>
  )
}

/** A line of a menu as the table of actions has it. */
function known(name: ActionName) {
  const action = actions[name]
  return {
    label: action.words,
    keys: action.keys[0],
    href: 'href' in action ? action.href : undefined,
    onChoose: () => void runAction(name),
  }
}

function PaletteButton() {
  const { words, keys } = actions.openPalette
  const caps = keyCaps(keys[0] ?? '').join(' ')
  return (
    <button
      type="button"
      className="palette-button roomy-only"
      aria-label={`${caps}, ${words}`}
      title={words}
      onClick={() => runAction('openPalette')}
    >
      <kbd className="key-cap">{caps}</kbd>
    </button>
  )
}

/** The twins of Gemini as a calliper: the mark of the house. */
function Mark() {
  return (
    <svg
      viewBox="0 0 20 20"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
    >
      <path d="M3 2.75c4.4 1.7 9.6 1.7 14 0M3 17.25c4.4-1.7 9.6-1.7 14 0" />
      <path d="M7 4.2v11.6M13 4.2v11.6" />
      <path d="M10 8v4" strokeWidth="1.5" opacity=".55" />
    </svg>
  )
}
