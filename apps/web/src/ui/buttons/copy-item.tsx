import { Check, Copy, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '../../lib/browser/copy-text.ts'
import { Icon } from '../signs/icon.tsx'

const CONFIRM_MS = 2_000
const SAYS = { copying: 'Copying', copied: 'Copied', failed: 'Not copied' }

/** A line of a menu that copies what `text` brings, and says what came of it in its own words. */
export function CopyItem({ label, text }: { label: string; text: () => string | Promise<string> }) {
  const [state, setState] = useState<keyof typeof SAYS | null>(null)
  useEffect(() => {
    if (state === null || state === 'copying') return
    const timer = window.setTimeout(() => setState(null), CONFIRM_MS)
    return () => window.clearTimeout(timer)
  }, [state])

  async function copy() {
    setState('copying')
    const isCopied = await Promise.resolve(text()).then(copyText, () => false)
    setState(isCopied ? 'copied' : 'failed')
  }
  return (
    <button type="button" className="menu-item" onClick={copy}>
      <Icon of={state === 'copied' ? Check : state === 'failed' ? X : Copy} small />
      <span aria-live="polite">{state === null ? label : SAYS[state]}</span>
    </button>
  )
}
