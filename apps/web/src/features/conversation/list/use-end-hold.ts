import type { MessageFilter } from '@gemini-dash/api'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { messagesQuery } from '../../../api/session/messages.ts'
import { keepCorrecting } from '../../../lib/browser/keep-correcting.ts'
import { useKeptCalls } from '../../../lib/hooks/use-kept-calls.ts'
import { PAGE_SIZE, pageOf } from '../feed/page-size.ts'
import type { MessagePages } from '../feed/use-message-pages.ts'
import type { WindowOffset } from './window-offset.ts'

/** Nearer to the end than this, new messages are followed. */
export const AT_END_PX = 64

/** Each draws rows that were only guessed before. */
const MAX_STEPS = 8

/** A nearer end is here before anybody is through. */
const FAR_PAGES = 3
const AT_HAND_DELAY_MS = 600

interface EndHold {
  /** The reader went to the end: it is held from then on, wherever they are near it. */
  hasGoneToEnd: boolean
  /** They asked for it. */
  hold: () => void
}

/** A short session is at its end when it opens; held there, whatever grows in it would move its title out of sight. */
export function useEndHold(windowOffset: WindowOffset, isEndKnown: boolean): EndHold {
  const [hasGoneToEnd, setGone] = useState(false)
  const hold = useCallback(() => setGone(true), [])
  useEffect(
    () => (isEndKnown ? windowOffset.listen(() => isNearEnd() && setGone(true)) : undefined),
    [windowOffset, isEndKnown],
  )
  return { hasGoneToEnd, hold }
}

function isNearEnd(): boolean {
  return document.documentElement.scrollHeight - window.innerHeight - window.scrollY <= AT_END_PX
}

interface WayToEnd {
  sessionRef: string
  show: MessageFilter | undefined
  messagePages: Pick<MessagePages, 'pages' | 'total' | 'failure'>
  windowOffset: WindowOffset
  /** Until then a way to the end is kept. */
  isEndKnown: boolean
  /** From then on the end is held. */
  onGo: () => void
}

/** Brings the end into sight in one step: once its messages are here, so that none of what is passed is loaded or drawn. */
export function useWayToEnd(way: WayToEnd) {
  const { sessionRef, show, messagePages, windowOffset, isEndKnown, onGo } = way
  const { pages, total, failure } = messagePages
  const lastPage = pageOf(Math.max(total - 1, 0))
  useEndAtHand(sessionRef, show, isEndKnown ? lastPage : 0)
  const [isGoing, setIsGoing] = useState(false)
  const endSettling = useRef<() => void>(() => undefined)
  const take = useKeptCalls<null>(isEndKnown, () => {
    onGo()
    setIsGoing(true)
  })
  const canGo = isGoing && (pages.has(lastPage) || total === 0 || failure !== null)
  useEffect(() => {
    if (!canGo) return
    setIsGoing(false)
    endSettling.current()
    endSettling.current = settleAtEnd(windowOffset)
  }, [canGo, windowOffset])
  useEffect(() => () => endSettling.current(), [])
  return { page: isGoing ? lastPage : null, go: () => take(null) }
}

/** The end is where most readers of a long session go next: it is asked for once nothing else is. */
function useEndAtHand(sessionRef: string, show: MessageFilter | undefined, lastPage: number): void {
  const client = useQueryClient()
  useEffect(() => {
    if (lastPage < FAR_PAGES) return
    const timer = setTimeout(() => {
      const window = { offset: lastPage * PAGE_SIZE, limit: PAGE_SIZE, show }
      void client.prefetchQuery(messagesQuery(sessionRef, window))
    }, AT_HAND_DELAY_MS)
    return () => clearTimeout(timer)
  }, [client, sessionRef, show, lastPage])
}

/** Until the content has its heights, or somebody goes away from it. */
function settleAtEnd(windowOffset: WindowOffset): () => void {
  let top = 0
  let isLeft = false
  return keepCorrecting({
    correct: () => {
      // content that gets lower takes the window along, with its end in sight
      isLeft ||= window.scrollY < top - 1 && !isNearEnd()
      const hasMoved = !isLeft && moveToEnd(windowOffset)
      top = window.scrollY
      return hasMoved
    },
  })
}

/** What comes into sight by that is drawn and has its heights in the same frame. false: it was there already. */
function moveToEnd(windowOffset: WindowOffset): boolean {
  const before = window.scrollY
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const distance = document.documentElement.scrollHeight - window.innerHeight - window.scrollY
    if (Math.abs(distance) <= 1) break
    flushSync(() => windowOffset.moveWindow(distance))
  }
  return Math.abs(window.scrollY - before) > 1
}
