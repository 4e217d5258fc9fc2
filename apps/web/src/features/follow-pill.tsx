import './follow-pill.css'
import type { SessionSummary } from 'gemini-sessions'
import { ArrowDown, Pause, Play } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { tellSeen } from '../api/marks.ts'
import { connection } from '../api/request.ts'
import { classNames } from '../lib/browser.ts'
import { formatCount, formatPlural } from '../lib/figures.ts'
import { Icon } from '../ui/icons.tsx'

/** A look that is shorter saw nothing. */
const LOOK_MS = 1_000

interface Shown {
  /** All of it is here, and it can still be read from disk. */
  isShown: boolean
  /** It may have been seen since its row was asked for. */
  isStale: boolean
}

interface Seen {
  sessionKey: string
  /** ISO time of the newest message at the last visit; null: there was none. */
  until: string | null
}

/**
 * Remembers until when a session was seen: once it has been looked at for a moment, and when the reader leaves it or its tab.
 * Gives until when it had been seen before, so that what came since can be told apart.
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
      // what came while the tab was hidden was not seen
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

/** One sentence at most in this time: a busy session must not talk over the reader, and must not be silent either. */
const QUIET_MS = 5_000

/** Tells screen readers that messages came, while they come; not what they say. */
export function ArrivalStatus({ total }: { total: number }) {
  const said = useRef({ total, atMs: Number.NEGATIVE_INFINITY })
  const timer = useRef<number>(undefined)
  const latest = useRef(total)
  const [text, setText] = useState('')
  useEffect(() => {
    latest.current = total
    // what comes while a sentence waits is told with it
    if (total <= said.current.total || timer.current !== undefined) return
    const waitMs = Math.max(0, said.current.atMs + QUIET_MS - performance.now())
    timer.current = window.setTimeout(() => {
      timer.current = undefined
      const arrived = latest.current - said.current.total
      said.current = { total: latest.current, atMs: performance.now() }
      // with the number of all, as a sentence that is said a second time is not heard
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
  /** Messages that came while the reader was elsewhere. */
  arrivals: number
  isLive: boolean
  isAtEnd: boolean
  isPaused: boolean
  onPause: () => void
  /** Goes to the end and stays there. */
  onFollow: () => void
}

/** The way to what came in, and at the end of a session that is being written a stop to following it. */
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
