import { Check, type LucideIcon, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Copied, copyAndSay } from '../../lib/browser/copy-text.ts'
import { IconButton } from './icon-button.tsx'

const CONFIRM_MS = 2_000
const FAILED = 'Not copied'

/** An icon that copies what `text` gives, now or once it has come, and says so in its own name for two seconds. */
export function CopyIconButton({
  icon,
  label,
  text,
}: {
  icon: LucideIcon
  label: string
  text: () => string | Promise<string | Copied>
}) {
  const [outcome, setOutcome] = useState<string | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = window.setTimeout(() => setOutcome(null), CONFIRM_MS)
    return () => window.clearTimeout(timer)
  }, [outcome])

  async function copy() {
    setOutcome((await copyAndSay(text())) ?? FAILED)
  }
  return (
    <IconButton
      icon={outcome === null ? icon : outcome === FAILED ? X : Check}
      label={outcome ?? label}
      onClick={copy}
    />
  )
}
