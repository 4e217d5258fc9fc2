import '../../ui/search-box.css'
import './search-box.css'
import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useShortcuts } from '../../lib/use-shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

const DEBOUNCE_MS = 150

/** The box of the search page. What is typed reaches the address once typing pauses, at Enter at once. */
export function QueryBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [draft, setDraft] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<number>(undefined)
  const sent = useRef(value)
  // Back or a link changed the address under the box; what we sent ourselves must not undo later typing.
  useEffect(() => {
    if (value !== sent.current) setDraft(value)
    sent.current = value
  }, [value])
  useEffect(() => {
    // The page exists for this box; a page that came with a query is there to be read.
    if (sent.current === '') input.current?.focus({ preventScroll: true })
    return () => window.clearTimeout(timer.current)
  }, [])
  useShortcuts({
    focusSearch: () => {
      input.current?.select()
      input.current?.focus()
      return undefined
    },
  })

  function send(text: string) {
    window.clearTimeout(timer.current)
    sent.current = text
    onChange(text)
  }
  function type(text: string) {
    setDraft(text)
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => send(text), DEBOUNCE_MS)
  }
  return (
    <search>
      <form
        className="search-box large"
        onSubmit={(event) => {
          event.preventDefault()
          send(draft)
        }}
      >
        <Icon of={Search} />
        <input
          ref={input}
          type="search"
          aria-label="Search"
          placeholder="Search prompts, answers, thoughts, tool calls and their output"
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          value={draft}
          onChange={(event) => type(event.target.value)}
        />
        {draft !== '' && (
          <IconButton
            icon={X}
            label="Clear"
            onClick={() => {
              setDraft('')
              send('')
              input.current?.focus()
            }}
          />
        )}
      </form>
    </search>
  )
}
