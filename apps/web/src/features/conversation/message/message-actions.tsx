import './message-actions.css'
import type { Message } from 'gemini-sessions'
import { Check, Copy, Link as LinkIcon, type LucideIcon, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '../../../lib/copy-text.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { messageLink } from './message-link.ts'
import { messageMarkdown } from './message-markdown.ts'

/** Copy link and copy Markdown; seen on hover and focus, always there for the keyboard. */
export function MessageActions({ message }: { message: Message }) {
  return (
    <span className="message-actions">
      <CopyAction icon={LinkIcon} label="Copy link" text={() => messageLink(message.key)} />
      <CopyAction icon={Copy} label="Copy as Markdown" text={() => messageMarkdown(message)} />
    </span>
  )
}

function CopyAction({ icon, label, text }: { icon: LucideIcon; label: string; text: () => string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = window.setTimeout(() => setOutcome(null), 2_000)
    return () => window.clearTimeout(timer)
  }, [outcome])
  const shownIcon = outcome === null ? icon : outcome === 'copied' ? Check : X
  const shownLabel = outcome === null ? label : outcome === 'copied' ? 'Copied' : 'Not copied'
  return (
    <IconButton
      icon={shownIcon}
      label={shownLabel}
      onClick={async () => setOutcome((await copyText(text())) ? 'copied' : 'failed')}
    />
  )
}
