/**
 * Where a text stops being JSON; its length where it only ends too early. V8 names the place in some of its messages
 * only, so the shortest beginning is looked for that is not merely unfinished.
 */
export function jsonErrorOffset(text: string): number {
  let unfinished = 0
  let wrong = text.length + 1
  while (wrong - unfinished > 1) {
    const middle = Math.floor((unfinished + wrong) / 2)
    if (isUnfinished(text.slice(0, middle))) unfinished = middle
    else wrong = middle
  }
  return unfinished
}

function isUnfinished(beginning: string): boolean {
  try {
    JSON.parse(beginning)
    return true
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (/end of JSON input|Unterminated string|No number after/.test(message)) return true
    // What was expected after the last character may still come.
    return new RegExp(`at position ${beginning.length}\\b`).test(message)
  }
}
