import { observeWindowOffset, type Virtualizer, windowScroll } from '@tanstack/react-virtual'

type List = Virtualizer<Window, HTMLDivElement>
type Options = Required<List['options']>

/**
 * Keeps what the list believes of the window true between two scroll events, where the reader did not scroll. The
 * list corrects for heights by writing a whole offset: one that it computes from before a jump, or from before the
 * browser kept the place under a head that grew, would take that move back.
 */
export class WindowOffset {
  #list: List | null = null
  #tell: ((offset: number, isScrolling: boolean) => void) | null = null
  #seen = 0
  #onReaderDown: (() => void) | null = null

  /** Where the window was when the list last heard of it, px. */
  get seen(): number {
    return this.#seen
  }

  readonly observe: Options['observeElementOffset'] = (list, tell) => {
    this.#list = list
    this.#seen = window.scrollY
    this.#tell = (offset, isScrolling) => {
      // the page's own moves are known here before their event comes
      const isReaderDown = isScrolling && offset > this.#seen + 1
      this.#seen = offset
      tell(offset, isScrolling)
      if (isReaderDown) this.#onReaderDown?.()
    }
    return observeWindowOffset(list, this.#tell)
  }

  /** Calls back whenever the reader, and not the page, has moved the window down. Returns what ends it. */
  listen(onReaderDown: () => void): () => void {
    this.#onReaderDown = onReaderDown
    return () => {
      this.#onReaderDown = null
    }
  }

  readonly scroll: Options['scrollToFn'] = (offset, options, list) => {
    windowScroll(offset, options, list)
    this.#seen = window.scrollY
  }

  /** Moves the window by so many px; the list asks at once for a render with the rows that are then in sight. */
  readonly moveWindow = (distance: number): void => {
    window.scrollBy({ top: distance, behavior: 'instant' })
    this.#tell?.(window.scrollY, false)
  }

  /**
   * The list begins at another place of the document, and the browser has kept the place of what is read. Told by
   * itself: together with new rows, the list would keep that place a second time.
   */
  moveList(scrollMargin: number): void {
    const list = this.#list
    if (list === null || list.options.scrollMargin === scrollMargin) return
    this.#tell?.(window.scrollY, false)
    list.setOptions({ ...list.options, scrollMargin })
  }
}
