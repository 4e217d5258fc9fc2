/** A run of text, or one character that would change how its neighbours read without being seen itself. */
export interface ControlRun {
  text: string
  /** UTF-16 offset in the whole. */
  start: number
  /** `U+202E` for an invisible control, null for ordinary text. */
  control: string | null
}

/**
 * Splits text at invisible controls, so that commands, paths and code can show them instead of obeying them.
 * @param isShown which of them; prose needs marks like U+200F, and shows only what acts unseen (`isActing`)
 */
export function visibleControls(text: string, isShown = isControlCode): ControlRun[] {
  if (!hasControl(text, isShown)) return [{ text, start: 0, control: null }]
  const runs: ControlRun[] = []
  let start = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.codePointAt(index) ?? 0
    if (!isShown(code)) continue
    if (index > start) runs.push({ text: text.slice(start, index), start, control: null })
    const character = String.fromCodePoint(code)
    runs.push({ text: character, start: index, control: nameOf(code) })
    start = index + character.length
    index = start - 1
  }
  if (start < text.length) runs.push({ text: text.slice(start), start, control: null })
  return runs
}

/**
 * What no prose needs: what lets a text be read in another order than it is written in, tags (letters that only a
 * model reads), and C0 and C1.
 */
export function isActing(code: number): boolean {
  return isReordering(code) || isTag(code) || isTerminalControl(code)
}

function hasControl(text: string, isShown: (code: number) => boolean): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (isShown(text.codePointAt(index) ?? 0)) return true
  }
  return false
}

/** Beside what acts: zero-width characters and marks of direction. */
function isControlCode(code: number): boolean {
  if (code < 0x7f) return isTerminalControl(code)
  if (code === 0x61c || code === 0xfeff) return true
  // U+200C and U+200D shape letters and emoji; they stay as they are
  return code === 0x200b || code === 0x200e || code === 0x200f || code === 0x2060 || isActing(code)
}

/** Embeddings, overrides and isolates (Trojan Source). */
function isReordering(code: number): boolean {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
}

function isTag(code: number): boolean {
  return code >= 0xe0000 && code <= 0xe007f
}

/** C0 but tab and line ends, DEL, C1. */
function isTerminalControl(code: number): boolean {
  if (code < 0x20) return code !== 0x09 && code !== 0x0a && code !== 0x0d
  return code >= 0x7f && code <= 0x9f
}

function nameOf(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** A JSON value whose texts and names write invisible characters out, as `[U+202E]`. */
export function showControls(value: unknown): unknown {
  if (typeof value === 'string') return writeOut(value)
  if (Array.isArray(value)) return value.map(showControls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [writeOut(name), showControls(item)]))
}

function writeOut(text: string): string {
  return visibleControls(text)
    .map((run) => (run.control === null ? run.text : `[${run.control}]`))
    .join('')
}
