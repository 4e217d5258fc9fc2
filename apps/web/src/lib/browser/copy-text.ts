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

/** A text to be copied, perhaps with what is quietly said once it is. */
export interface Copied {
  text: string
  note: string | null
}

/** What a copy button says when it has copied what comes: `Copied`, with its note; null: it could not be copied. */
export async function copyAndSay(coming: string | Copied | Promise<string | Copied>): Promise<string | null> {
  try {
    const copied = await coming
    const { text, note } = typeof copied === 'string' ? { text: copied, note: null } : copied
    if (!(await copyText(text))) return null
    return note === null ? 'Copied' : `Copied: ${note}`
  } catch {
    return null
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
