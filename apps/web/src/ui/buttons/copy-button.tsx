import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '../../lib/browser/copy-text.ts'
import { Icon } from '../signs/icon.tsx'
import { Button } from './button.tsx'

const CONFIRM_MS = 2_000

/** Copies `text` and says so in its own label for two seconds. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = window.setTimeout(() => setOutcome(null), CONFIRM_MS)
    return () => window.clearTimeout(timer)
  }, [outcome])

  async function copy() {
    setOutcome((await copyText(text)) ? 'copied' : 'failed')
  }
  return (
    <Button look="quiet" size="tiny" onClick={copy}>
      <Icon of={outcome === 'copied' ? Check : Copy} small />
      <span aria-live="polite">
        {outcome === null ? label : outcome === 'copied' ? 'Copied' : 'Not copied'}
      </span>
    </Button>
  )
}
