/** A run of text, or one character that would change how its neighbours read without being seen itself. */
export interface ControlRun {
  text: string
  /** `U+202E` for an invisible control, null for ordinary text. */
  control: string | null
}

/** Splits text at invisible controls, so that commands, paths and code can show them instead of obeying them. */
export function visibleControls(text: string): ControlRun[] {
  if (!hasInvisibleControl(text)) return [{ text, control: null }]
  const runs: ControlRun[] = []
  let plain = ''
  for (const character of text) {
    if (!isInvisibleControl(character)) {
      plain += character
      continue
    }
    if (plain !== '') runs.push({ text: plain, control: null })
    plain = ''
    runs.push({ text: character, control: nameOf(character) })
  }
  if (plain !== '') runs.push({ text: plain, control: null })
  return runs
}

export function hasInvisibleControl(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (isControlCode(text.charCodeAt(index))) return true
  }
  return false
}

function isInvisibleControl(character: string): boolean {
  return character.length === 1 && isControlCode(character.charCodeAt(0))
}

/** Bidirectional overrides and isolates (Trojan Source), zero-width characters, C0 and C1 but tab and line ends. */
function isControlCode(code: number): boolean {
  if (code < 0x20) return code !== 0x09 && code !== 0x0a && code !== 0x0d
  if (code < 0x7f) return false
  if (code <= 0x9f) return true
  if (code === 0x61c || code === 0xfeff) return true
  // U+200C and U+200D shape letters and emoji; they stay as they are
  return (
    code === 0x200b ||
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    code === 0x2060 ||
    (code >= 0x2066 && code <= 0x2069)
  )
}

function nameOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
