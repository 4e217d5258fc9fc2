import { useEffect, useRef, useState } from 'react'

const SETTLE_MS = 150

/**
 * The text of a box that the address keeps: what is typed reaches it once typing pauses, and the box follows where Back, a
 * link or "Clear" changed it. What is typed while the address changes is not lost.
 */
export function useSettlingText(
  kept: string,
  onSettle: (text: string) => void,
): [string, (text: string) => void] {
  const [text, setText] = useState(kept)
  const sent = useRef(kept)
  const timer = useRef<number>(undefined)
  useEffect(() => {
    if (kept === sent.current) return
    sent.current = kept
    window.clearTimeout(timer.current)
    setText(kept)
  }, [kept])
  useEffect(() => () => window.clearTimeout(timer.current), [])

  function type(next: string) {
    setText(next)
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => {
      sent.current = next
      onSettle(next)
    }, SETTLE_MS)
  }
  return [text, type]
}
