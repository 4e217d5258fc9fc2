import './shell.css'
import type { Warning } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { ChartColumn, House, Settings, TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { connection } from '../api/connection.ts'
import { useAddOpened, useCloseOpened } from '../api/open-files.ts'
import { healthQuery } from '../api/queries.ts'
import { pageBuild } from '../api/tab-state.ts'
import { focusMain } from '../lib/browser.ts'
import { SAID_ID } from '../lib/copy.ts'
import { dayOf, formatClock, formatDateTime } from '../lib/dates.ts'
import { useDelayed } from '../lib/list-hooks.ts'
import { Button } from '../ui/buttons/button.tsx'
import { IconButton } from '../ui/buttons/icon-button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Notice } from '../ui/states.tsx'

const PATIENCE_MS = 5_000

/** A stream that reconnects quickly, as after waking up, shows no notice. */
const SILENT_PATIENCE_MS = 1_000

/** Shows that this browser is signed out, or that the server has been gone for a while; disappears when it is back. */
export function ConnectionBanner() {
  const state = useSyncExternalStore(connection.subscribe, connection.get)
  const isShown = useDelayed(state === 'lost', PATIENCE_MS)
  const isSilent = useDelayed(state === 'silent', SILENT_PATIENCE_MS)
  if (state === 'forbidden') return <SignedOut />
  if (isSilent) return <NotConnected heard={new Date(connection.heardMs())} />
  if (!isShown) return null
  return (
    <Notice tone="error">
      <b>gemini-dash doesn’t answer.</b> What you see stays readable. If it has stopped, start it again with{' '}
      <code>npx gemini-dash</code>; if you use a tunnel, connect it again. This page then continues by itself.
    </Notice>
  )
}

function NotConnected({ heard }: { heard: Date }) {
  const time = heard.toISOString()
  const isToday = dayOf(heard) === dayOf(new Date())
  return (
    <div role="status">
      <Notice>
        Not connected: showing what was there at{' '}
        <time dateTime={time}>{isToday ? formatClock(time) : formatDateTime(time)}</time>
      </Notice>
    </div>
  )
}

function SignedOut() {
  return (
    <Notice tone="warning">
      <b>This browser is not signed in any more.</b> What you see stays. Run <code>npx gemini-dash url</code>{' '}
      in a terminal and open the address that it prints in another tab; this page then continues by itself.
    </Notice>
  )
}

/** Shows that the server has a new build of the page. The user chooses when to reload. */
export function UpdateNotice() {
  const isOutdated = useSyncExternalStore(pageBuild.subscribe, pageBuild.isOutdated)
  if (!isOutdated) return null
  return (
    <Notice>
      <b>gemini-dash was updated.</b> What you are reading stays; reload when you like.{' '}
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </Notice>
  )
}

/** Marks the sample sessions on every page, as they look like one's own. */
export function SampleNotice() {
  const isSample = useQuery(healthQuery()).data?.demo ?? 'sampleNow' in document.documentElement.dataset
  if (!isSample) return null
  return (
    <aside aria-label="Sample data">
      <Notice>
        <b>Sample data.</b> Changes you make here aren’t saved.
      </Notice>
    </aside>
  )
}

/** Shows on every page of opened files that they are not part of the history. */
export function OpenedNotice() {
  const opened = useQuery(healthQuery()).data?.opened
  const closing = useCloseOpened()
  const adding = useAddOpened()
  if (opened === undefined) return null
  const [first = '', ...others] = opened.files
  return (
    <aside aria-label="Opened file">
      <Notice>
        <b>{first}</b>
        {others.length > 0 && ` and ${others.length} more`} · Opened file, not in your history, not counted in
        Usage{' '}
        <Button disabled={adding.isPending || adding.isSuccess} onClick={() => adding.mutate()}>
          {others.length > 0 ? 'Add copies to the archive' : 'Add a copy to the archive'}
        </Button>{' '}
        {opened.canClose && (
          <Button look="quiet" disabled={closing.isPending} onClick={() => closing.mutate()}>
            Close
          </Button>
        )}
        <span role="status">
          {adding.isSuccess && ` ${adding.data.text}`}
          {adding.isError && ` ${adding.error.message}`}
          {closing.isError && ` ${closing.error.message}`}
        </span>
      </Notice>
    </aside>
  )
}

/** The live region that `say` writes to. */
export function Said() {
  return <p id={SAID_ID} className="said" role="status" />
}

/** Top bar of every page: logo, search input, and three links. */
export function TopBar({ box }: { box: ReactNode }) {
  // project and session pages belong to the session list
  const isBelowSessions = useLocation({ select: ({ pathname }) => /^\/[ps]\//.test(pathname) })
  return (
    <header className="top-bar">
      <Link to="/" className="brand" aria-label="gemini-dash, all sessions">
        <Mark />
        <span>gemini-dash</span>
      </Link>
      {box}
      <nav className="main-nav" aria-label="Main">
        <Link
          to="/"
          activeOptions={{ exact: true, includeSearch: false }}
          aria-current={isBelowSessions ? 'true' : undefined}
          aria-label="Sessions"
        >
          <Icon of={House} className="narrow-only" />
          <span className="wide-only">Sessions</span>
        </Link>
        <Link to="/usage" activeOptions={{ includeSearch: false }} aria-label="Usage">
          <Icon of={ChartColumn} className="narrow-only" />
          <span className="wide-only">Usage</span>
        </Link>
        <Link
          to="/settings/{-$section}"
          params={{ section: undefined }}
          activeOptions={{ includeSearch: false }}
          aria-label="Settings"
        >
          <Icon of={Settings} />
        </Link>
      </nav>
    </header>
  )
}

/** The logo: the Gemini twins as a caliper. */
function Mark() {
  return (
    <svg
      viewBox="0 0 20 20"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
    >
      <path d="M3 2.75c4.4 1.7 9.6 1.7 14 0M3 17.25c4.4-1.7 9.6-1.7 14 0" />
      <path d="M7 4.2v11.6M13 4.2v11.6" />
      <path d="M10 8v4" strokeWidth="1.5" opacity=".55" />
    </svg>
  )
}

const NAME = 'gemini-dash-dismissed-warnings'

/** The first warning about what the program runs without, in one line; the health page has all of them. */
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

/** Warnings that were included in the page. */
function warningsAtFirst(): Pick<Warning, 'code' | 'message'>[] {
  return JSON.parse(decodeURIComponent(document.documentElement.dataset.warnings ?? '[]'))
}

/** Codes of the warnings dismissed in this tab. */
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
    // Storage is disabled: they stay dismissed until the page is reloaded.
  }
}
