/**
 * Copies text to the clipboard and returns whether it worked. Browsers offer `navigator.clipboard` only on https and loopback; over a LAN
 * address the old way is the only one.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyThroughSelection(text)
  }
}

/** Shown if the browser does not copy. */
const NOT_ALLOWED = 'Not copied: the browser does not allow it here'

/** A text to copy, with an optional note to show afterwards. */
export interface Copied {
  text: string
  note: string | null
}

/** Result of copying, in words. */
export interface Copying {
  isCopied: boolean
  said: string
}

/** Copies a text and returns `Copied` with its note, or the reason for a failure. */
export async function copyAndSay(coming: string | Copied | Promise<string | Copied>): Promise<Copying> {
  try {
    const copied = await coming
    const { text, note } = typeof copied === 'string' ? { text: copied, note: null } : copied
    if (!(await copyText(text))) return { isCopied: false, said: NOT_ALLOWED }
    return { isCopied: true, said: note === null ? 'Copied' : `Copied: ${note}` }
  } catch (error) {
    return { isCopied: false, said: `Not copied: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function copyThroughSelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  document.body.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
  }
}

/** The live region that announces what was done. */
export const SAID_ID = 'said'

const SHORTEST_MS = 2_500
/** Roughly the time it takes to read. */
const MS_PER_LETTER = 60

let timer: number | undefined

/** Announces what a key or the palette did, where nothing else shows it. */
export function say(words: string): void {
  const place = document.getElementById(SAID_ID)
  if (place === null) return
  window.clearTimeout(timer)
  place.textContent = words
  const staysMs = Math.max(SHORTEST_MS, words.length * MS_PER_LETTER)
  timer = window.setTimeout(() => {
    place.textContent = ''
  }, staysMs)
}

export function sayCopied(isCopied: boolean): void {
  say(isCopied ? 'Copied' : NOT_ALLOWED)
}

/** Announces why an action failed. */
export function sayError(error: unknown): void {
  say(error instanceof Error ? error.message : String(error))
}
