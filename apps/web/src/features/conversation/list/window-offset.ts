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

  /** Where the window was when the list last heard of it, px. */
  get seen(): number {
    return this.#seen
  }

  readonly observe: Options['observeElementOffset'] = (list, tell) => {
    this.#list = list
    this.#seen = window.scrollY
    this.#tell = (offset, isScrolling) => {
      this.#seen = offset
      tell(offset, isScrolling)
    }
    return observeWindowOffset(list, this.#tell)
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
