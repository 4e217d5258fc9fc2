import { Check, Link } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '../../lib/browser/copy-text.ts'
import { Icon } from '../signs/icon.tsx'
import { Button } from './button.tsx'

const CONFIRM_MS = 2_000

/** Copies the address of this page, without a message or a search, and says so in its own label. */
export function LinkCopyButton({ path }: { path: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = window.setTimeout(() => setOutcome(null), CONFIRM_MS)
    return () => window.clearTimeout(timer)
  }, [outcome])
  return (
    <Button
      onClick={async () =>
        setOutcome((await copyText(`${window.location.origin}${path}`)) ? 'copied' : 'failed')
      }
    >
      <Icon of={outcome === 'copied' ? Check : Link} small />
      <span aria-live="polite">
        {outcome === null ? 'Copy link' : outcome === 'copied' ? 'Copied' : 'Not copied'}
      </span>
    </Button>
  )
}
