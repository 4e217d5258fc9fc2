const ESCAPE = '\u001b'
const STRING_OPENERS = new Set(['P', 'X', ']', '^', '_'])

/**
 * Leaves text, line ends, tabs and colour sequences (SGR). Cursor moves, titles, links (OSC 8), clipboard writes
 * (OSC 52) and device strings go; the text inside a link stays. Linear in the length, whatever the input.
 */
export function stripControls(text: string): string {
  let kept = ''
  let index = 0
  while (index < text.length) {
    const next = nextControl(text, index)
    kept += text.slice(index, next)
    if (next >= text.length) break
    const end = text[next] === ESCAPE ? endOfEscape(text, next) : next + 1
    const sequence = text.slice(next, end)
    if (isColourSequence(sequence)) kept += sequence
    index = end
  }
  return kept
}

function nextControl(text: string, from: number): number {
  let index = from
  while (index < text.length && !isControl(text.charCodeAt(index))) index += 1
  return index
}

function isControl(code: number): boolean {
  return (code < 0x20 && code !== 0x09 && code !== 0x0a) || (code >= 0x7f && code <= 0x9f)
}

/** `start` stands on ESC; answers the position behind its sequence, or the end of a torn one. */
function endOfEscape(text: string, start: number): number {
  const opener = text[start + 1]
  if (opener === undefined) return text.length
  if (opener === '[') return endOfControlSequence(text, start + 2)
  if (STRING_OPENERS.has(opener)) return endOfString(text, start + 2)
  // two-character sequences and charset choices such as ESC ( B
  return start + ('()*+-./#%'.includes(opener) ? 3 : 2)
}

function endOfControlSequence(text: string, from: number): number {
  let index = from
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code >= 0x40 && code <= 0x7e) return index + 1
    if (code < 0x20 || code > 0x7e) return index
    index += 1
  }
  return index
}

/** Strings end with BEL or ESC \\; one that never ends is cut at the line end, so that it cannot swallow the rest. */
function endOfString(text: string, from: number): number {
  for (let index = from; index < text.length; index += 1) {
    const character = text[index]
    if (character === '\u0007' || character === '\u009c') return index + 1
    if (character === ESCAPE && text[index + 1] === '\\') return index + 2
    if (character === '\n') return index
  }
  return text.length
}

function isColourSequence(sequence: string): boolean {
  return (
    sequence.startsWith(`${ESCAPE}[`) && sequence.endsWith('m') && /^[\d;:]*$/.test(sequence.slice(2, -1))
  )
}
