import './palette.css'
import '../../ui/controls/search-box.css'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { OWN_VIEWS, viewsQuery } from '../../api/marks.ts'
import { projectsQuery } from '../../api/projects.ts'
import { countedSearchQuery } from '../../api/search.ts'
import { titledSessionsQuery } from '../../api/sessions.ts'
import { type ActionName, actions } from '../../lib/actions/action-table.ts'
import { boundActions, keyCaps, runAction } from '../../lib/actions/use-actions.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { Icon } from '../../ui/signs/icon.tsx'
import { isNearSession, isOf, type PaletteGroup, type PaletteItem, paletteGroups } from './palette-items.ts'
import { PaletteList } from './palette-list.tsx'

/** Typing goes on while less than this passes between two letters: nothing is asked then. */
const SETTLE_MS = 120
const MOST_SESSIONS = 8
const NEWEST_SESSIONS = 5

/** One box over sessions, projects, pages, settings and what the page can do. The focus goes back to where it was. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const listId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const { groups, state } = useGroups(text)
  const items = groups.flatMap((group) => group.items)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const active = Math.max(
    items.findIndex(({ id }) => id === chosenId),
    0,
  )
  const take = useTake(() => dialog.current?.close())
  useLayoutEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal()
  }, [])

  function onKeyDown(event: KeyboardEvent) {
    // keys of the page below are not meant here
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    const isModified = event.ctrlKey || event.metaKey
    if (event.key === 'ArrowDown') setChosenId(items[(active + 1) % items.length]?.id ?? null)
    else if (event.key === 'ArrowUp') setChosenId(items.at(active - 1)?.id ?? null)
    else if (event.key === 'Enter' && event.shiftKey) take(insideItem(text), isModified)
    else if (event.key === 'Enter') take(items[active], isModified)
    else if (isModified && event.key.toLowerCase() === 'k') dialog.current?.close()
    else return
    event.preventDefault()
  }
  return (
    <dialog
      className="palette"
      aria-label="Command palette"
      ref={dialog}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) event.currentTarget.close()
      }}
      onKeyDown={onKeyDown}
    >
      <div className="palette-box">
        <Icon of={Search} />
        <input
          type="text"
          role="combobox"
          aria-label={actions.openPalette.words}
          aria-expanded={items.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={items.length > 0 ? `${listId}-${active}` : undefined}
          placeholder={actions.openPalette.words}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          dir="auto"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setChosenId(null)
          }}
        />
        <button
          type="button"
          className="palette-close"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          <kbd className="key-cap">Esc</kbd>
        </button>
      </div>
      {state === 'none' && (
        <p className="palette-none">
          No session, page or action is called <b dir="auto">{text}</b>.
        </p>
      )}
      <PaletteList
        id={listId}
        groups={groups}
        active={active}
        onTake={(item, event: MouseEvent) => take(item, event.ctrlKey || event.metaKey)}
      />
      <p className="palette-foot">
        <span role="status">
          {state === 'looking'
            ? 'Looking for sessions …'
            : text === ''
              ? ''
              : formatPlural(items.length, 'result')}
        </span>
        <span className="wide-only">
          <kbd className="key-cap">↑</kbd> <kbd className="key-cap">↓</kbd> choose
        </span>
        <span className="wide-only">
          <kbd className="key-cap">Enter</kbd> go
        </span>
        <span className="wide-only">
          <kbd className="key-cap">{keyCaps('$mod+Enter').join(' ')}</kbd> new tab
        </span>
      </p>
    </dialog>
  )
}

/** Goes where a line leads to, or does what it says; the palette is closed by then, and what it returned the focus to has it. */
function useTake(close: () => void) {
  const { history } = useRouter()
  return (item: PaletteItem | undefined, isInNewTab: boolean) => {
    if (item === undefined) return
    if (item.icon === 'retry') return item.retry?.()
    if (item.href !== undefined && isInNewTab) {
      window.open(item.href, '_blank', 'noopener')
      return
    }
    close()
    if (item.href !== undefined) history.push(item.href)
    else runAction(item.icon as ActionName)
  }
}

type State = 'looking' | 'found' | 'none'

/** What is known at once, and the sessions once typing pauses: those before them stay as long as they fit. */
function useGroups(text: string): { groups: PaletteGroup[]; state: State } {
  const typed = text.trim()
  const settled = useSettled(typed)
  const [bound] = useState(() => boundActions().filter((name) => !isOf(name, 'isStep')))
  const projects = useQuery(projectsQuery()).data?.projects ?? []
  const views = [...OWN_VIEWS, ...(useQuery(viewsQuery()).data?.views ?? [])]
  const { sessions, isLooking, error, retry } = useSessions(settled)
  const shown = sessions.filter((session) => settled === typed || isNearSession(session, typed))
  const groups = paletteGroups({ text: typed, bound, sessions: shown, projects, views })
  const isSettled = settled === typed && !isLooking
  const isNone = typed !== '' && isSettled && error === null && groups.length === 0
  const { data: counted } = useQuery({ ...countedSearchQuery(typed), enabled: isNone })
  if (error !== null) groups.push({ title: 'Sessions', items: [retryItem(error, retry)] })
  if (typed !== '') {
    const { didYouMean = null, total, sessionTotal } = counted ?? {}
    const hint =
      total === undefined
        ? undefined
        : `${formatPlural(total, 'hit')} in ${formatPlural(sessionTotal ?? 0, 'session')}`
    const meant = didYouMean === null ? [] : [insideItem(didYouMean, `Did you mean “${didYouMean}”?`)]
    groups.push({
      title: isNone ? 'Instead' : 'Inside sessions',
      items: [...meant, { ...insideItem(typed), hint }],
    })
  }
  return { groups, state: isNone ? 'none' : isSettled ? 'found' : 'looking' }
}

/** Those whose title holds the text; where these are few, those that are near it as well. */
function useSessions(settled: string) {
  const limit = settled === '' ? NEWEST_SESSIONS : MOST_SESSIONS
  const exact = useQuery({
    ...titledSessionsQuery(settled, 'part', limit),
    placeholderData: (before) => before,
  })
  const areFew = settled !== '' && !exact.isPlaceholderData && (exact.data?.length ?? limit) < limit
  const near = useQuery({ ...titledSessionsQuery(settled, 'near', limit), enabled: areFew })
  const more = areFew
    ? (near.data ?? []).filter(({ key }) => exact.data?.every((one) => one.key !== key))
    : []
  return {
    sessions: [...(exact.data ?? []), ...more].slice(0, limit),
    isLooking: exact.isFetching || near.isFetching,
    error: exact.error ?? near.error,
    retry: () => void exact.refetch(),
  }
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), SETTLE_MS)
    return () => window.clearTimeout(timer)
  }, [text])
  return text === '' ? text : settled
}

function insideItem(text: string, label = `Search inside sessions for “${text.trim()}”`): PaletteItem {
  const href = `/search?q=${encodeURIComponent(text.trim())}`
  return { id: `inside ${text}`, icon: 'inside', label, ranges: [], keys: 'Shift+Enter', href }
}

function retryItem(error: Error, retry: () => void): PaletteItem {
  return {
    id: 'retry',
    icon: 'retry',
    label: 'Sessions could not be asked for. Try again',
    ranges: [],
    hint: error.message,
    retry,
  }
}
