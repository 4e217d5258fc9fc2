import './follow-pill.css'
import type { SessionSummary } from 'gemini-sessions'
import { ArrowDown, Pause, Play } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { connection } from '../api/connection.ts'
import { tellSeen } from '../api/marks.ts'
import { classNames } from '../lib/browser.ts'
import { formatCount, formatPlural } from '../lib/figures.ts'
import { Icon } from '../ui/icons.tsx'

/** Minimum time for a session to count as seen. */
const LOOK_MS = 1_000

interface Shown {
  /** Everything is loaded and can still be read from disk. */
  isShown: boolean
  /** The session may have been seen after its row was fetched. */
  isStale: boolean
}

interface Seen {
  sessionKey: string
  /** ISO time of the newest message at the last visit; null if there was none. */
  until: string | null
}

/**
 * Records until when a session was seen: after it was visible for a moment, and when the reader leaves it or its tab. Returns until when it
 * had been seen before, to mark what is new.
 */
export function useSeen({ key, endTime, mark }: SessionSummary, { isShown, isStale }: Shown): string | null {
  const [before, setBefore] = useState<Seen | null>(null)
  const isKnown = before?.sessionKey === key
  if (isShown && !isStale && !isKnown) setBefore({ sessionKey: key, until: mark?.seen ?? null })
  const latest = useRef({ endTime, seen: mark?.seen })
  useLayoutEffect(() => {
    latest.current = { endTime, seen: mark?.seen }
  })

  useEffect(() => {
    if (!isShown || !isKnown) return undefined
    let wasLookedAt = false
    let leftAt: string | null = null
    const tell = () => {
      const { endTime: newest, seen } = latest.current
      if (!wasLookedAt || newest === null || connection.get() !== 'connected') return
      const until = new Date(newest).toISOString()
      if (until !== seen && until !== leftAt) tellSeen(key, until)
      leftAt = until
    }
    const turn = () => {
      if (document.hidden) tell()
      // messages that arrived while the tab was hidden are unseen
      else if (leftAt !== null) setBefore({ sessionKey: key, until: leftAt })
    }
    const look = () => {
      wasLookedAt = !document.hidden
      tell()
    }
    const timer = window.setTimeout(look, LOOK_MS)
    document.addEventListener('visibilitychange', turn)
    window.addEventListener('pagehide', tell)
    return () => {
      window.clearTimeout(timer)
      document.removeEventListener('visibilitychange', turn)
      window.removeEventListener('pagehide', tell)
      if (!document.hidden) tell()
    }
  }, [key, isShown, isKnown])
  return isKnown ? before.until : null
}

/** Minimum interval between announcements: a busy session must neither talk over the reader nor be silent. */
const QUIET_MS = 5_000

/** Announces the number of new messages to screen readers, not their content. */
export function ArrivalStatus({ total }: { total: number }) {
  const said = useRef({ total, atMs: Number.NEGATIVE_INFINITY })
  const timer = useRef<number>(undefined)
  const latest = useRef(total)
  const [text, setText] = useState('')
  useEffect(() => {
    latest.current = total
    // messages that arrive during the wait are included
    if (total <= said.current.total || timer.current !== undefined) return
    const waitMs = Math.max(0, said.current.atMs + QUIET_MS - performance.now())
    timer.current = window.setTimeout(() => {
      timer.current = undefined
      const arrived = latest.current - said.current.total
      said.current = { total: latest.current, atMs: performance.now() }
      // includes the total, as a repeated sentence is not announced
      if (arrived > 0)
        setText(`${formatPlural(arrived, 'new message')}, ${formatCount(latest.current)} in total`)
    }, waitMs)
  }, [total])
  useEffect(() => {
    return () => {
      window.clearTimeout(timer.current)
      timer.current = undefined
    }
  }, [])
  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  )
}

interface Props {
  /** Messages that arrived while the reader was elsewhere. */
  arrivals: number
  isLive: boolean
  isAtEnd: boolean
  isPaused: boolean
  onPause: () => void
  /** Goes to the end and follows it. */
  onFollow: () => void
}

/** A button that goes to new messages, or at the end of a running session one that stops following. */
export function FollowPill({ arrivals, isLive, isAtEnd, isPaused, onPause, onFollow }: Props) {
  if (arrivals > 0)
    return <Pill icon={ArrowDown} words={formatPlural(arrivals, 'new message')} onClick={onFollow} />
  if (!isLive || !isAtEnd) return null
  return isPaused ? (
    <Pill icon={Play} words="Follow again" isQuiet onClick={onFollow} />
  ) : (
    <Pill icon={Pause} words="Following; pause" isQuiet onClick={onPause} />
  )
}

interface PillProps {
  icon: typeof ArrowDown
  words: string
  isQuiet?: boolean
  onClick: () => void
}

function Pill({ icon, words, isQuiet = false, onClick }: PillProps) {
  return (
    <button type="button" className={classNames('follow-pill', isQuiet && 'quiet')} onClick={onClick}>
      <Icon of={icon} small />
      {words}
    </button>
  )
}
