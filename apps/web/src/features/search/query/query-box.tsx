import '../../../ui/controls/search-box.css'
import '../search-box.css'
import { useQuery } from '@tanstack/react-query'
import { Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { type Suggestions, suggestQuery } from '../../../api/search.ts'
import { useActions } from '../../../lib/actions/use-actions.ts'
import { IconButton } from '../../../ui/buttons/icon-button.tsx'
import { Icon } from '../../../ui/signs/icon.tsx'
import { SuggestionMenu, suggestionId } from './suggestion-menu.tsx'

const DEBOUNCE_MS = 150
/** The name of a filter whose value is still to come: looking for it as a word would find what nobody wants. */
const HALF_TYPED = /(?:^|[\s(])-?[a-z]+:$/i

type Props = { value: string; onChange: (value: string) => void; onSubmit: (value: string) => void }

/** The box of the search page, with suggestions for operators and their values. Enter without a selection searches. */
export function QueryBox({ value, onChange, onSubmit }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const wantedCaret = useRef<number | null>(null)
  const [caret, setCaret] = useState(value.length)
  const { draft, type, send } = useQueryDraft(value, onChange)
  const listId = useId()
  const suggestions = useSuggestions(draft, caret, ({ text, caret: next }) => {
    wantedCaret.current = next
    setCaret(next)
    type(text)
  })
  useLayoutEffect(() => {
    if (wantedCaret.current === null) return
    input.current?.setSelectionRange(wantedCaret.current, wantedCaret.current)
    wantedCaret.current = null
  })
  const isEmptyAtFirst = useRef(value === '')
  useEffect(() => {
    // The page exists for this box; a page that came with a query is there to be read.
    if (isEmptyAtFirst.current) input.current?.focus({ preventScroll: true })
  }, [])
  useActions({
    focusSearch: () => {
      input.current?.select()
      input.current?.focus()
      return undefined
    },
  })
  return (
    <search className="query-box">
      <form
        className="search-box large"
        onSubmit={(event) => {
          event.preventDefault()
          suggestions.close()
          send(draft)
          onSubmit(draft)
        }}
      >
        <Icon of={Search} />
        <input
          ref={input}
          type="text"
          inputMode="search"
          enterKeyHint="search"
          role="combobox"
          aria-label="Search"
          aria-expanded={suggestions.isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={
            suggestions.active < 0 ? undefined : suggestionId(listId, suggestions.active)
          }
          placeholder="Search prompts, answers, thoughts, tool calls and their output"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          dir="auto"
          value={draft}
          onChange={(event) => {
            type(event.target.value, (event.nativeEvent as InputEvent).isComposing)
            setCaret(event.target.selectionStart ?? event.target.value.length)
            suggestions.open()
          }}
          onCompositionEnd={(event) => type(event.currentTarget.value)}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
          onKeyDown={suggestions.onKeyDown}
          onBlur={suggestions.close}
        />
        {draft !== '' && (
          <IconButton
            icon={X}
            label="Clear"
            onClick={() => {
              type('')
              send('')
              input.current?.focus()
            }}
          />
        )}
      </form>
      {suggestions.isOpen && (
        <SuggestionMenu
          id={listId}
          items={suggestions.items}
          active={suggestions.active}
          onTake={suggestions.take}
        />
      )}
    </search>
  )
}

/** What stands in the box, before it reaches the address: once typing pauses, at Enter at once. */
function useQueryDraft(value: string, onChange: (value: string) => void) {
  const [draft, setDraft] = useState(value)
  const timer = useRef<number>(undefined)
  const sent = useRef(value)
  // Back or a link changed the address under the box; what we sent ourselves must not undo later typing.
  useEffect(() => {
    if (value !== sent.current) setDraft(value)
    sent.current = value
  }, [value])
  useEffect(() => () => window.clearTimeout(timer.current), [])

  function send(text: string) {
    window.clearTimeout(timer.current)
    sent.current = text
    onChange(text)
  }
  function type(text: string, isComposing = false) {
    setDraft(text)
    window.clearTimeout(timer.current)
    // Half of a character that is being put together is not what is looked for.
    if (!isComposing && !HALF_TYPED.test(text))
      timer.current = window.setTimeout(() => send(text), DEBOUNCE_MS)
  }
  return { draft, type, send }
}

/** A suggestion taken: the whole query as it is then, and where the caret goes. */
type Completed = { text: string; caret: number; isFinished: boolean }

/** The list under the box: what it offers, which of it is selected, and the keys that walk, take and close it. */
function useSuggestions(draft: string, caret: number, onTake: (completed: Completed) => void) {
  const [isWanted, setIsWanted] = useState(false)
  const [selected, setSelected] = useState<string | null>(null)
  const { data } = useQuery(suggestQuery(draft, caret, isWanted))
  const items = isWanted && draft.trim() !== '' ? (data?.items ?? []) : []
  const isOpen = items.length > 0
  // By its label: another list may come while one of this one is selected.
  const active = items.findIndex(({ label }) => label === selected)
  const select = (index: number) => setSelected(items[index]?.label ?? null)

  function take(index: number): boolean {
    const completed = data === undefined ? null : complete(data, draft, index)
    if (completed === null) return false
    setSelected(null)
    setIsWanted(!completed.isFinished)
    onTake(completed)
    return true
  }
  /** Whether that key was for the list. */
  function answersTo(key: string): boolean {
    if (key === 'ArrowDown') select(active + 1)
    else if (key === 'ArrowUp') select(active < 0 ? items.length - 1 : active - 1)
    else if (key === 'Escape') setIsWanted(false)
    else return key === 'Enter' && take(active)
    return true
  }
  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen || event.nativeEvent.isComposing || !answersTo(event.key)) return
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    items,
    isOpen,
    active,
    take,
    onKeyDown,
    open: () => {
      setSelected(null)
      setIsWanted(true)
    },
    close: () => setIsWanted(false),
  }
}

/** The list may be of a moment ago: what was typed on since in its word is replaced with that word, and nothing else. */
function complete({ q, start, end, items }: Suggestions, draft: string, index: number): Completed | null {
  const item = items[index]
  const before = q.slice(0, start)
  const after = q.slice(end)
  if (item === undefined || !draft.startsWith(before) || !draft.slice(start).endsWith(after)) return null
  const isOneWord = q === draft || !/\s/.test(draft.slice(start, draft.length - after.length))
  if (!isOneWord) return null
  return {
    text: `${before}${item.text}${after}`,
    caret: start + item.text.length,
    isFinished: !item.text.endsWith(':'),
  }
}
