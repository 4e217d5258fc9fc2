import './one-box.css'
import { cutQuery } from '@gemini-dash/api/cut-query'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { flushSync } from 'react-dom'
import { projectsQuery } from '../../api/usage.ts'
import { type ActionName, actions } from '../../lib/action-table.ts'
import { classNames } from '../../lib/browser.ts'
import { formatPlural } from '../../lib/figures.ts'
import { type SessionFind, sessionFind } from '../../lib/left-place.ts'
import { useSettlingText } from '../../lib/list-hooks.ts'
import type { FindSearch } from '../../lib/page-searches.ts'
import { rememberSearch } from '../../lib/session-search.ts'
import { keyCaps, runAction, useActions } from '../../lib/use-actions.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { BoxList, lineId } from './box-list.tsx'
import { type BoxGroup, type BoxItem, searchItem, useBoxGroups } from './use-box-groups.ts'

const OPENED_BY = actions.openPalette.keys[0] ?? ''

/**
 * One input for sessions, messages, projects, pages and actions; on the search page it contains the query. Escape closes the list and
 * restores the focus.
 */
export function OneBox() {
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const opener = useOpener(input)
  const [isJumping, setIsJumping] = useState(false)
  const scope = useFindScope(isJumping)
  const { find } = scope
  const box = useBoxText(isJumping, find)
  const { text, type, isQuery } = box
  const [caret, setCaret] = useState(0)
  const [isOpened, setIsOpen] = useState(false)
  const isOpen = isOpened && find === null
  const [chosenId, setChosenId] = useState<string | null>(null)
  const { groups, isLooking, isFirstSure, isNone } = useBoxGroups({ text, caret, isOpen, isQuery })
  const items = groups.flatMap((group) => group.items)
  const firstId = useFirstLine({ text, groups, isFirstSure, isQuery })
  const active = items.find(({ id }) => id === chosenId) ?? items.find(({ id }) => id === firstId) ?? null
  const isShown = isOpen && items.length > 0
  useFocusOnSearch(input)

  function write(next: string, at = next.length) {
    type(next)
    setChosenId(null)
    setCaret(at)
    setIsOpen(true)
  }
  function leave() {
    setIsOpen(false)
    setChosenId(null)
    setIsJumping(false)
    if (!isQuery) type('')
    opener.giveBack()
  }
  function enter(isToJump: boolean) {
    opener.remember()
    setIsJumping(isToJump)
    setIsOpen(true)
  }
  const take = useTake({ isQuery, write, leave })
  useOpenKey({ input, isOpen, leave, enter: (isToSearch) => enter(!isToSearch || find !== null) })
  const finding = useFinding({ input, opener, scope, box, enter })

  function step(by: 1 | -1) {
    const at = items.findIndex(({ id }) => id === active?.id)
    const next = items.at(at === -1 && by === -1 ? -1 : (at + by) % items.length)
    setIsOpen(true)
    setChosenId(next?.id ?? null)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (find !== null) return finding.onKeyDown(event)
    const isModified = event.ctrlKey || event.metaKey
    if (event.key === 'ArrowDown') step(1)
    else if (event.key === 'ArrowUp') step(-1)
    else if (event.key === 'Escape') opener.isKnown() || !isOpen ? leave() : setIsOpen(false)
    else if (event.key === 'Enter') {
      const isSearch = event.shiftKey || active === null || !isOpen
      take(isSearch ? searchItem(text.trim(), '') : active, isModified)
    } else return
    event.preventDefault()
  }
  return (
    <search
      className={classNames('one-box', find !== null && 'is-find')}
      aria-label={find === null ? undefined : actions.findHere.words}
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return
        setIsOpen(false)
        setIsJumping(false)
      }}
    >
      <BoxField
        {...{ input, listId, isShown, text, find }}
        scope={finding.scope ?? box.scope}
        activeId={active?.id ?? null}
        onText={write}
        onCaret={setCaret}
        onClick={() => setIsOpen(true)}
        onKeyDown={onKeyDown}
      />
      {isShown && (
        <BoxDrop
          listId={listId}
          groups={groups}
          activeId={active?.id ?? null}
          missing={isNone ? text : null}
          onTake={take}
        />
      )}
      {find?.failure && <div className="box-drop">{find.failure}</div>}
      {find === null && <BoxStatus text={isShown ? text : ''} count={isLooking ? null : items.length} />}
    </search>
  )
}

/** Announces the number of results to screen readers; `count`: null while searching. */
function BoxStatus({ text, count }: { text: string; count: number | null }) {
  return (
    <p role="status" className="visually-hidden">
      {text === '' ? '' : count === null ? 'Searching…' : formatPlural(count, 'result')}
    </p>
  )
}

interface DropProps {
  listId: string
  groups: readonly BoxGroup[]
  activeId: string | null
  /** What was not found. */
  missing: string | null
  onTake: (item: BoxItem, isInNewTab: boolean) => void
}

function BoxDrop({ listId, groups, activeId, missing, onTake }: DropProps) {
  return (
    <div className="box-drop">
      {missing !== null && (
        <p className="box-none">
          Nothing is called <b dir="auto">{missing}</b>.
        </p>
      )}
      <BoxList
        id={listId}
        groups={groups}
        activeId={activeId}
        onTake={(item, event) => onTake(item, event.ctrlKey || event.metaKey)}
      />
    </div>
  )
}

interface Scope {
  name: string
  /** Label of its remove button. */
  leave: string
  onLeave: () => void
}

interface FieldProps {
  input: RefObject<HTMLInputElement | null>
  /** The project that the search is limited to. */
  scope: Scope | null
  /** The find of the open session. */
  find: SessionFind | null
  listId: string
  isShown: boolean
  activeId: string | null
  text: string
  onText: (text: string, caret: number) => void
  onCaret: (caret: number) => void
  onClick: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** The input with its scope: a project or the open session. */
function BoxField(props: FieldProps) {
  const { input, scope, find, listId, isShown, activeId, onText, onCaret } = props
  const asBox = {
    role: 'combobox',
    'aria-label': actions.openPalette.words,
    'aria-expanded': isShown,
    'aria-controls': listId,
    'aria-autocomplete': 'list',
    'aria-activedescendant': isShown && activeId !== null ? lineId(listId, activeId) : undefined,
  } as const
  return (
    <div className="search-box">
      <Icon of={Search} small />
      {scope !== null && (
        <button type="button" className="box-scope" title={scope.leave} onClick={scope.onLeave}>
          <span className="visually-hidden">{scope.leave} instead of </span>
          <span dir="auto">{scope.name}</span>
          <Icon of={X} small />
        </button>
      )}
      <input
        ref={input}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        {...(find === null ? asBox : { 'aria-label': actions.findHere.words })}
        placeholder={find === null ? 'Search or jump to…' : 'Find…'}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        dir="auto"
        value={props.text}
        onChange={({ target }) =>
          onText(cutQuery(target.value), target.selectionStart ?? target.value.length)
        }
        onSelect={(event) => onCaret(event.currentTarget.selectionStart ?? 0)}
        onClick={props.onClick}
        onKeyDown={props.onKeyDown}
      />
      {find === null ? (
        <span className="key-cap wide-only" aria-hidden="true">
          {keyCaps(OPENED_BY).join(' ')}
        </span>
      ) : (
        <FindSteps find={find} />
      )}
    </div>
  )
}

/** Number of matches in the session, with buttons for next and previous. */
function FindSteps({ find: { countText, hasHits, step } }: { find: SessionFind }) {
  return (
    <>
      <output className="find-count label tabular">{countText}</output>
      <IconButton
        icon={ChevronUp}
        label="Previous hit (Shift+N)"
        disabled={!hasHits}
        onClick={() => step(-1)}
      />
      <IconButton icon={ChevronDown} label="Next hit (n)" disabled={!hasHits} onClick={() => step(1)} />
    </>
  )
}

/** The open session, and whether the input searches in it: because a link includes a search or the reader asked for it. */
function useFindScope(isJumping: boolean) {
  const here = useSyncExternalStore(sessionFind.subscribe, sessionFind.get)
  const [askedKey, setAskedKey] = useState<string | null>(null)
  const isOpen = here !== null && (here.q !== undefined || here.sessionKey === askedKey)
  return {
    here,
    /** null: the input searches everything. */
    find: isOpen && !isJumping ? here : null,
    ask: () => setAskedKey(here?.sessionKey ?? null),
    forget: () => setAskedKey(null),
  }
}

interface Finding {
  input: RefObject<HTMLInputElement | null>
  opener: ReturnType<typeof useOpener>
  scope: ReturnType<typeof useFindScope>
  box: ReturnType<typeof useBoxText>
  enter: (isToJump: boolean) => void
}

/** Key handling for find in the open session: opening, stepping, closing. */
function useFinding({ input, opener, scope: { here, find, ask, forget }, box, enter }: Finding) {
  function begin() {
    enter(false)
    ask()
  }
  useActions(here === null ? {} : { findHere: () => focusBox(input, begin) })

  function end() {
    forget()
    box.type('')
    input.current?.blur()
    find?.end(opener.forget())
  }
  /** Searches everywhere for the same text. */
  function widen() {
    const before = opener.forget()
    forget()
    box.type('')
    find?.end(before)
    focusBox(input, () => {
      enter(true)
      box.typeOwn(box.text)
    })
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') find?.step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') end()
    else return
    event.preventDefault()
  }
  return {
    onKeyDown,
    scope: find === null ? null : { name: 'In this session', leave: 'Search everywhere', onLeave: widen },
  }
}

/**
 * Text of the input: its own; on the search page the query and project of the address, unless the reader opened it to jump elsewhere; or
 * the search in the open session.
 */
function useBoxText(isJumping: boolean, find: SessionFind | null) {
  const router = useRouter()
  const projects = useQuery(projectsQuery()).data?.projects
  const isOnSearch = useLocation({ select: ({ pathname }) => pathname === '/search' })
  const isQuery = isOnSearch && !isJumping
  const search = useLocation({ select: (location) => location.search as FindSearch })
  const [own, setOwn] = useState('')
  const change = (next: Partial<FindSearch>) =>
    void router.navigate({
      to: '/search',
      search: (before) => ({ ...(before as FindSearch), pages: undefined, ...next }),
      replace: true,
      resetScroll: false,
    })
  const kept = isOnSearch ? search.q : find?.q
  const [query, typeQuery] = useSettlingText(kept ?? '', (q) => {
    // when cleared, the last search stays
    if (find !== null && q.trim() !== '') find.look(q)
    // a filter name without its value is not a search yet
    if (isOnSearch && !/(?:^|[\s(])-?[a-z]+:$/i.test(q)) change({ q: q || undefined })
  })
  const name = projects?.find(({ key }) => key === search.project)?.name ?? search.project
  const onLeave = () => change({ project: undefined })
  const isKept = isQuery || find !== null
  return {
    text: isKept ? query : own,
    type: isKept ? typeQuery : setOwn,
    typeOwn: setOwn,
    isQuery,
    scope: isQuery && name !== undefined ? { name, leave: 'Search all projects', onLeave } : null,
  }
}

/** The element that had the focus before, to restore it. */
function useOpener(input: RefObject<HTMLInputElement | null>) {
  const before = useRef<Element | null>(null)
  return {
    remember: () => {
      if (document.activeElement !== input.current) before.current = document.activeElement
    },
    isKnown: () => before.current !== null,
    forget: () => {
      const { current } = before
      before.current = null
      return current
    },
    giveBack: () => {
      const { current } = before
      before.current = null
      input.current?.blur()
      if (current instanceof HTMLElement && current.isConnected && current !== document.body)
        current.focus({ preventScroll: true })
    },
  }
}

interface Opening {
  input: RefObject<HTMLInputElement | null>
  isOpen: boolean
  /** `isToSearch`: opened by the search key, not by the palette key. */
  enter: (isToSearch: boolean) => void
  leave: () => void
}

/** Keys that open the input, or close it if pressed again. Inactive over a dialog. */
function useOpenKey({ input, isOpen, enter, leave }: Opening): void {
  useActions({
    openPalette: (event) => {
      if (!isOpen || document.activeElement !== input.current)
        return focusBox(input, () => enter(event?.key === '/'))
      leave()
      return undefined
    },
  })
}

/** Leaves the key to an open dialog. */
function focusBox(input: RefObject<HTMLInputElement | null>, prepare: () => void): false | undefined {
  if (document.querySelector('dialog:modal') !== null) return false
  flushSync(prepare)
  input.current?.focus()
  input.current?.select()
  return undefined
}

/** Focuses the input on the search page, unless the page came with a query: then its results are to be read. */
function useFocusOnSearch(input: RefObject<HTMLInputElement | null>): void {
  const isWanted = useLocation({
    select: ({ pathname, search }) => pathname === '/search' && !(search as FindSearch).q,
  })
  useEffect(() => {
    if (isWanted && document.querySelector('dialog:modal') === null)
      input.current?.focus({ preventScroll: true })
  }, [input, isWanted])
}

interface FirstLine {
  text: string
  groups: readonly BoxGroup[]
  isFirstSure: boolean
  isQuery: boolean
}

/**
 * The default item for Enter: it never changes when late results arrive. None before the first result, or on the search page, where Enter
 * searches.
 */
function useFirstLine({ text, groups, isFirstSure, isQuery }: FirstLine): string | null {
  const [held, setHeld] = useState<{ text: string; id: string } | null>(null)
  const items = groups.flatMap((group) => group.items)
  if (held !== null && held.text === text && items.some(({ id }) => id === held.id)) return held.id
  const [first] = items
  if (first === undefined) return null
  if (!isFirstSure || (isQuery && text.trim() !== '' && text.trim() !== '?')) return null
  setHeld({ text, id: first.id })
  return first.id
}

interface Taking {
  isQuery: boolean
  write: (text: string) => void
  leave: () => void
}

/** Follows an item's link or runs its action, after the list is closed and the focus restored. */
function useTake({ isQuery, write, leave }: Taking) {
  const { history } = useRouter()
  return (item: BoxItem, isInNewTab: boolean) => {
    if (item.text !== undefined) return write(item.text)
    if (item.run !== undefined) return item.run()
    if (item.href !== undefined && isInNewTab) {
      window.open(item.href, '_blank', 'noopener')
      return
    }
    leave()
    if (item.icon === 'search') rememberSearch(new URLSearchParams(item.href?.split('?')[1]).get('q') ?? '')
    if (item.href === undefined) return void runAction(item.icon as ActionName)
    const isHere = isQuery && item.href === searchItem(currentQuery(), '').href
    if (!isHere) history.push(item.href)
  }
}

function currentQuery(): string {
  return new URLSearchParams(window.location.search).get('q') ?? ''
}
