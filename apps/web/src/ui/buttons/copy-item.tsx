import { Check, Copy, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Copied, type Copying, copyAndSay } from '../../lib/browser/copy-text.ts'
import { Icon } from '../signs/icon.tsx'

const CONFIRM_MS = 2_000
/** A note, or why not, takes longer to read. */
const NOTE_MS = 6_000
const COPYING = 'Copying'

/** A line of a menu that copies what `text` brings, and says what came of it in its own words. */
export function CopyItem({ label, text }: { label: string; text: () => string | Promise<string | Copied> }) {
  const [state, setState] = useState<Copying | typeof COPYING | null>(null)
  useEffect(() => {
    if (state === null || state === COPYING) return
    const timer = window.setTimeout(() => setState(null), state.said.includes(':') ? NOTE_MS : CONFIRM_MS)
    return () => window.clearTimeout(timer)
  }, [state])

  async function copy() {
    setState(COPYING)
    setState(await copyAndSay(text()))
  }
  const outcome = state === COPYING ? null : state
  return (
    <button type="button" className="menu-item" onClick={copy}>
      <Icon of={outcome === null ? Copy : outcome.isCopied ? Check : X} small />
      <span aria-live="polite">{state === COPYING ? COPYING : (outcome?.said ?? label)}</span>
    </button>
  )
}
