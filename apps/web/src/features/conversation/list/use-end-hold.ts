import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { keepCorrecting } from '../../../lib/browser/keep-correcting.ts'
import { useKeptCalls } from '../../../lib/hooks/use-kept-calls.ts'
import { pageOf } from '../feed/page-size.ts'
import type { MessagePages } from '../feed/use-message-pages.ts'
import type { WindowOffset } from './window-offset.ts'

/** Nearer to the end than this, new messages are followed. */
export const AT_END_PX = 64

/** Each draws rows that were only guessed before. */
const MAX_STEPS = 8

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
  messagePages: Pick<MessagePages, 'pages' | 'total' | 'error'>
  windowOffset: WindowOffset
  /** Until then a way to the end is kept. */
  isEndKnown: boolean
  /** From then on the end is held. */
  onGo: () => void
}

/** Brings the end into sight in one step: once its messages are here, so that none of what is passed is loaded or drawn. */
export function useWayToEnd({ messagePages, windowOffset, isEndKnown, onGo }: WayToEnd) {
  const { pages, total, error } = messagePages
  const lastPage = pageOf(Math.max(total - 1, 0))
  const [isGoing, setIsGoing] = useState(false)
  const endSettling = useRef<() => void>(() => undefined)
  const take = useKeptCalls<null>(isEndKnown, () => {
    onGo()
    setIsGoing(true)
  })
  const canGo = isGoing && (pages.has(lastPage) || total === 0 || error !== null)
  useEffect(() => {
    if (!canGo) return
    setIsGoing(false)
    endSettling.current()
    endSettling.current = settleAtEnd(windowOffset)
  }, [canGo, windowOffset])
  useEffect(() => () => endSettling.current(), [])
  return { page: isGoing ? lastPage : null, go: () => take(null) }
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
