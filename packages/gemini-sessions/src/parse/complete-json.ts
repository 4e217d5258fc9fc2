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

interface OpenScan {
  isInString: boolean
  /** What would close everything that is open at the end. */
  closing: string
  /** End of the last complete element, and what would close everything open there. */
  safeEnd: number
  safeClosing: string
}

function scanOpen(text: string): OpenScan {
  let closing = ''
  let isInString = false
  let safeEnd = 0
  let safeClosing = ''
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
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
    } else if (char === ',') {
      safeEnd = at
      safeClosing = closing
    }
  }
  return { isInString, closing, safeEnd, safeClosing }
}
