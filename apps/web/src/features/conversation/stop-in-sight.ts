/** The focus target of the first visible message: itself, or the button of a fold; null if none is drawn. */
export function stopInSight(): HTMLElement | null {
  for (const article of document.querySelectorAll<HTMLElement>('.conversation article')) {
    if (article.getBoundingClientRect().bottom <= STICKY_PX) continue
    return article.hasAttribute('tabindex') ? article : article.querySelector('button')
  }
  return null
}

/** Height of the sticky bars at the top of the window. */
export const STICKY_PX = 96
