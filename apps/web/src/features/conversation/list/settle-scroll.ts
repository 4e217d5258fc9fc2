/** Frames in which late heights (pictures, coloured code) are still compensated. */
const SETTLE_FRAMES = 45
const GIVE_UP_FRAMES = 120

/**
 * Brings an element that is only about to be drawn to a third from the top, and holds it there until its
 * surroundings have their heights. Ends at once when the reader scrolls. Returns the function that ends it.
 */
export function settleScroll(
  find: () => HTMLElement | null,
  onArrived: (element: HTMLElement) => void,
): () => void {
  let frame = 0
  let stillFrames = 0
  let hasArrived = false
  let handle = requestAnimationFrame(step)
  const stops = ['wheel', 'touchmove', 'mousedown', 'keydown'] as const

  function step() {
    frame += 1
    // not before: the key or click that asked for this is still on its way to the window
    if (frame === 1) for (const name of stops) window.addEventListener(name, stop, { passive: true })
    const element = find()
    if (element !== null) {
      const distance = element.getBoundingClientRect().top - window.innerHeight / 3
      const before = window.scrollY
      if (Math.abs(distance) > 1) window.scrollBy({ top: distance, behavior: 'instant' })
      stillFrames = Math.abs(window.scrollY - before) > 1 ? 0 : stillFrames + 1
      if (!hasArrived && stillFrames > 1) {
        hasArrived = true
        onArrived(element)
      }
    }
    if (stillFrames < SETTLE_FRAMES && frame < GIVE_UP_FRAMES) handle = requestAnimationFrame(step)
    else stop()
  }

  function stop() {
    cancelAnimationFrame(handle)
    for (const name of stops) window.removeEventListener(name, stop)
  }
  return stop
}
