/** What takes the focus of the first message in sight: itself, or the button of what is folded; null: none is drawn. */
export function stopInSight(): HTMLElement | null {
  for (const article of document.querySelectorAll<HTMLElement>('.conversation article')) {
    if (article.getBoundingClientRect().bottom <= STICKY_PX) continue
    return article.hasAttribute('tabindex') ? article : article.querySelector('button')
  }
  return null
}

/** What the bars at the top of the window cover. */
export const STICKY_PX = 96
