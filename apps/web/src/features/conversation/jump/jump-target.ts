/** A message to be brought into sight. A new object for every jump, also to the same message. */
export interface JumpTarget {
  messageKey: string
  /** A thought or call in it, as `thought-2` or `call-0`. */
  part: string | null
  /** 0-based place in the session, where it is known. */
  offset: number | null
  /** Where it stood when the reader left it, px from the top of the window; null: it is gone to, not come back to. */
  top: number | null
}
