import { Check, type LucideIcon, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Copied, type Copying, copyAndSay } from '../../lib/browser/copy-text.ts'
import { say } from '../../lib/browser/say.ts'
import { IconButton } from './icon-button.tsx'

const CONFIRM_MS = 2_000

/** An icon that copies what `text` gives, now or once it has come, and says so in its own name for two seconds; why not stands in a line over the page. */
export function CopyIconButton({
  icon,
  label,
  text,
}: {
  icon: LucideIcon
  label: string
  text: () => string | Promise<string | Copied>
}) {
  const [outcome, setOutcome] = useState<Copying | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = window.setTimeout(() => setOutcome(null), CONFIRM_MS)
    return () => window.clearTimeout(timer)
  }, [outcome])

  async function copy() {
    const next = await copyAndSay(text())
    setOutcome(next)
    if (!next.isCopied) say(next.said)
  }
  return (
    <IconButton
      icon={outcome === null ? icon : outcome.isCopied ? Check : X}
      label={outcome?.said ?? label}
      onClick={copy}
    />
  )
}
