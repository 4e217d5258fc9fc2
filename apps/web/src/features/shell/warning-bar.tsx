import './warning-bar.css'
import type { Warning } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TriangleAlert, X } from 'lucide-react'
import { useState } from 'react'
import { healthQuery } from '../../api/health.ts'
import { focusMain } from '../../lib/browser/focus-main.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { Icon } from '../../ui/signs/icon.tsx'

const NAME = 'gemini-dash-dismissed-warnings'

/** What the program goes on without, the first of it in a line; the health page has all of it. */
export function WarningBar() {
  const warnings = useQuery(healthQuery()).data?.warnings ?? warningsAtFirst()
  const [dismissed, setDismissed] = useState(readDismissedWarnings)
  const shown = warnings.find(({ code }) => !dismissed.includes(code))
  if (shown === undefined) return null
  const dismiss = () => {
    const codes = [...dismissed, shown.code]
    setDismissed(codes)
    keepDismissedWarnings(codes)
    if (warnings.every(({ code }) => codes.includes(code))) focusMain()
  }
  return (
    <aside className="warning-bar" aria-label="Warning">
      <Icon of={TriangleAlert} />
      <p>{shown.message}</p>
      <Link to="/doctor" className="link">
        What to do
      </Link>
      <IconButton icon={X} label="Hide in this tab" onClick={dismiss} />
    </aside>
  )
}

/** Those that the page itself was sent with. */
function warningsAtFirst(): Pick<Warning, 'code' | 'message'>[] {
  return JSON.parse(decodeURIComponent(document.documentElement.dataset.warnings ?? '[]'))
}

/** Codes of the warnings that were hidden in this tab. */
function readDismissedWarnings(): string[] {
  try {
    const codes: unknown = JSON.parse(sessionStorage.getItem(NAME) ?? '[]')
    return Array.isArray(codes) ? codes.filter((code) => typeof code === 'string') : []
  } catch {
    return []
  }
}

function keepDismissedWarnings(codes: readonly string[]): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(codes))
  } catch {
    // Not allowed here: they are hidden until the page is loaded again.
  }
}
