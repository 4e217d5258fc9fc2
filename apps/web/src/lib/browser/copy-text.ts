/**
 * Puts text on the clipboard and says whether it worked. Browsers offer `navigator.clipboard` only on https and
 * loopback; over a LAN address the older way is all there is.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyThroughSelection(text)
  }
}

/** What is said where the browser does not copy. */
export const NOT_ALLOWED = 'Not copied: the browser does not allow it here'

/** A text to be copied, perhaps with what is quietly said once it is. */
export interface Copied {
  text: string
  note: string | null
}

/** What became of copying, in words. */
export interface Copying {
  isCopied: boolean
  said: string
}

/** Copies what comes: `Copied`, with its note, or why not. */
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
