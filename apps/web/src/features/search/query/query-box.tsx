import '../../../ui/controls/search-box.css'
import '../search-box.css'
import { Search, X } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useShortcuts } from '../../../lib/hooks/use-shortcuts.ts'
import { IconButton } from '../../../ui/buttons/icon-button.tsx'
import { Icon } from '../../../ui/signs/icon.tsx'
import { SuggestionList, suggestionId } from './suggestion-list.tsx'
import { useQueryDraft } from './use-query-draft.ts'
import { useSuggestions } from './use-suggestions.ts'

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
  useShortcuts({
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
        <SuggestionList
          id={listId}
          items={suggestions.items}
          active={suggestions.active}
          onTake={suggestions.take}
        />
      )}
    </search>
  )
}
