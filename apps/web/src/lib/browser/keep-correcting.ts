/** Stillness that shows that late heights (pictures, coloured code) have come: on a busy machine frames alone say little. */
const STILL_FRAMES = 45
const STILL_MS = 1_000
const GIVE_UP_MS = 10_000

/** Whatever the reader does by hand ends it. */
const READER_EVENTS = ['wheel', 'touchmove', 'mousedown', 'keydown'] as const

interface Correction {
  /** Puts the window right; false when it was right already. */
  correct: () => boolean
  onArrived?: () => void
}

/**
 * Puts the window right in every frame until its content has its heights. Ends at once when the reader scrolls.
 * Returns the function that ends it.
 */
export function keepCorrecting({ correct, onArrived }: Correction): () => void {
  let startTime: number | null = null
  let stillSince = 0
  let stillFrames = 0
  let hasArrived = false
  let handle = requestAnimationFrame(step)

  function step(now: number) {
    if (startTime === null) {
      startTime = now
      // not before: the key or click that asked for this is still on its way to the window
      for (const name of READER_EVENTS) window.addEventListener(name, stop, { passive: true })
    }
    if (correct()) {
      stillSince = now
      stillFrames = 0
    } else {
      stillFrames += 1
    }
    if (!hasArrived && stillFrames > 1) {
      hasArrived = true
      onArrived?.()
    }
    const isSettled = stillFrames >= STILL_FRAMES && now - stillSince >= STILL_MS
    if (isSettled || now - startTime >= GIVE_UP_MS) stop()
    else handle = requestAnimationFrame(step)
  }

  function stop() {
    cancelAnimationFrame(handle)
    for (const name of READER_EVENTS) window.removeEventListener(name, stop)
  }
  return stop
}
