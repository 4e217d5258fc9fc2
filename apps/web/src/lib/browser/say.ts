import { NOT_ALLOWED } from './copy-text.ts'

/** Where it stands what was done, for everybody to see and to hear. */
export const SAID_ID = 'said'

const STAYS_MS = 2_500

let timer: number | undefined

/** Says in a line over the page what a key or the palette did, where nothing else shows it. */
export function say(words: string): void {
  const place = document.getElementById(SAID_ID)
  if (place === null) return
  window.clearTimeout(timer)
  place.textContent = words
  timer = window.setTimeout(() => {
    place.textContent = ''
  }, STAYS_MS)
}

export function sayCopied(isCopied: boolean): void {
  say(isCopied ? 'Copied' : NOT_ALLOWED)
}

/** Says why what a key or the palette asked for was not done. */
export function sayError(error: unknown): void {
  say(error instanceof Error ? error.message : String(error))
}
