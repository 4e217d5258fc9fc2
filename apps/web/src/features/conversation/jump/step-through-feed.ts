import type { KeyboardEvent } from 'react'

/** Page Down and Page Up lead from message to message, as screen readers expect of a feed; a long message is first read to its end. */
export function stepThroughFeed(event: KeyboardEvent<HTMLElement>): void {
  const by = { PageDown: 1, PageUp: -1 }[event.key]
  if (by === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const here = (event.target as HTMLElement).closest('article')
  if (here === null || !isReadToItsEnd(here, by)) return
  const articles = [...event.currentTarget.querySelectorAll<HTMLElement>('article[aria-posinset]')]
  const next = articles[articles.indexOf(here) + by]
  if (next === undefined) return
  event.preventDefault()
  // what was taken back is one line, whose button opens it
  const stop = next.hasAttribute('tabindex') ? next : next.querySelector('button')
  stop?.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'start', behavior: 'instant' })
}

function isReadToItsEnd(article: Element, by: number): boolean {
  const { top, bottom } = article.getBoundingClientRect()
  return by > 0 ? bottom <= window.innerHeight : top >= 0
}
