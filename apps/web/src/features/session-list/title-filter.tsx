import '../../ui/controls/search-box.css'
import { ListFilter } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../../ui/signs/icon.tsx'

const DEBOUNCE_MS = 150

/** A box whose text reaches the address once typing pauses. */
export function TitleFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [draft, setDraft] = useState(value)
  const timer = useRef<number>(undefined)
  // Back, a link or "Clear" changed the address under the box.
  useEffect(() => setDraft(value), [value])
  useEffect(() => () => window.clearTimeout(timer.current), [])

  function type(text: string) {
    setDraft(text)
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => onChange(text), DEBOUNCE_MS)
  }
  return (
    <label className="search-box title-filter">
      <Icon of={ListFilter} small />
      <input
        type="search"
        aria-label="Filter by title"
        placeholder="Filter titles"
        autoComplete="off"
        value={draft}
        onChange={(event) => type(event.target.value)}
      />
    </label>
  )
}
