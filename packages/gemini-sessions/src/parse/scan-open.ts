/** What a JSON text leaves open that was cut off, or overwritten from some place on; looks no further than its value. */
export function scanOpen(text: string): OpenScan {
  let closing = ''
  let isInString = false
  let safeEnd = 0
  let safeClosing = ''
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? ''
    // Never in JSON: a power loss leaves NULs where the rest should be.
    if (char < ' ' && (isInString || !/\s/.test(char))) break
    if (isInString) {
      if (char === '\\') at += 1
      else if (char === '"') isInString = false
    } else if (char === '"') isInString = true
    else if (char === '{' || char === '[') {
      closing = (char === '{' ? '}' : ']') + closing
      safeEnd = at + 1
      safeClosing = closing
    } else if (char === '}' || char === ']') {
      closing = closing.slice(1)
      safeEnd = at + 1
      safeClosing = closing
      if (closing === '') break
    } else if (char === ',') {
      safeEnd = at
      safeClosing = closing
    }
  }
  return { isInString, closing, safeEnd, safeClosing }
}

interface OpenScan {
  isInString: boolean
  /** What would close everything that is open at the end. */
  closing: string
  /** End of the last complete element, and what would close everything open there. */
  safeEnd: number
  safeClosing: string
}
