// Codes instead of characters: this runs over the head of every file at the first start.
const BLANK = 0x20
const LINE_BLANKS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d])
const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Parses a JSON text that was cut off anywhere: open strings, lists and objects are closed, a field without
 * its value is left out. Undefined where even that gives no JSON.
 */
export function completeJson(text: string): unknown {
  const scan = scanOpen(text)
  const candidates = scan.isInString
    ? [`${text.replace(/\\(u[0-9a-fA-F]{0,3})?$/, '')}"`, text.slice(0, scan.safeEnd)]
    : [text, text.slice(0, scan.safeEnd)]
  const closings = [scan.closing, scan.safeClosing]
  for (const [index, candidate] of candidates.entries()) {
    try {
      return JSON.parse(candidate + closings[index])
    } catch {
      // The next candidate gives up the last, incomplete field.
    }
  }
  return undefined
}

/** What a JSON text leaves open that was cut off, or overwritten from some place on; looks no further than its value. */
function scanOpen(text: string): OpenScan {
  let closing = ''
  let isInString = false
  let safeEnd = 0
  let safeClosing = ''
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    // Never in JSON: a power loss leaves NULs where the rest should be.
    if (code < BLANK && (isInString || !LINE_BLANKS.has(code))) break
    if (isInString) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) isInString = false
    } else if (code === QUOTE) isInString = true
    else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      closing = (code === OPEN_OBJECT ? '}' : ']') + closing
      safeEnd = at + 1
      safeClosing = closing
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      closing = closing.slice(1)
      safeEnd = at + 1
      safeClosing = closing
      if (closing === '') break
    } else if (code === COMMA) {
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
