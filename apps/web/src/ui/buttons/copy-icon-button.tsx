import { Check, type LucideIcon, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '../../lib/browser/copy-text.ts'
import { IconButton } from './icon-button.tsx'

const CONFIRM_MS = 2_000

/** An icon that copies what `text` gives, now or once it has come, and says so in its own name for two seconds. */
export function CopyIconButton({
  icon,
  label,
  text,
}: {
  icon: LucideIcon
  label: string
  text: () => string | Promise<string>
}) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = window.setTimeout(() => setOutcome(null), CONFIRM_MS)
    return () => window.clearTimeout(timer)
  }, [outcome])

  async function copy() {
    const isCopied = await Promise.resolve(text()).then(copyText, () => false)
    setOutcome(isCopied ? 'copied' : 'failed')
  }
  return (
    <IconButton
      icon={outcome === null ? icon : outcome === 'copied' ? Check : X}
      label={outcome === null ? label : outcome === 'copied' ? 'Copied' : 'Not copied'}
      onClick={copy}
    />
  )
}
