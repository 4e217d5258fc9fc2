import { useEffect, useRef, useState } from 'react'

const DEBOUNCE_MS = 150
/** The name of a filter whose value is still to come: looking for it as a word would find what nobody wants. */
const HALF_TYPED = /(?:^|[\s(])-?[a-z]+:$/i

/** What stands in the box, before it reaches the address: once typing pauses, at Enter at once. */
export function useQueryDraft(value: string, onChange: (value: string) => void) {
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
