/** Places among all messages. */
export interface ReadingPlace {
  /** The first message in the window. */
  top: number
  bottom: number
  /** The one that is being read: where the reader went to, while that is in the window; else the first. */
  here: number
}

/** `aim`: the message that the reader went to last. */
export function readingPlace(top: number, bottom: number, aim: number | null): ReadingPlace {
  return { top, bottom, here: aim !== null && aim >= top && aim <= bottom ? aim : top }
}
