import type { Shell } from '@gemini-dash/api'

/** Literal in every shell. */
const PLAIN = /^[\w./][\w./:-]*$/
/** Invisible on a terminal, or with an effect on it. */
const UNSEEN = /\p{C}/u
/** PowerShell treats the typographic ones as equal. */
const POWERSHELL_QUOTES = /['\u2018-\u201b]/g

/** The shell of the current system. */
export function ownShell(platform = process.platform): Shell {
  return platform === 'win32' ? 'powershell' : 'posix'
}

/** Quotes a value as one word of a command: the shell passes on exactly this value. */
export function quoteForShell(value: string, shell: Shell): string {
  if (PLAIN.test(value)) return value
  return shell === 'posix' ? quotePosix(value) : quotePowerShell(value)
}

/** On the right side of a PowerShell assignment a bare word would be a command. */
export function quoteValue(value: string): string {
  const quoted = quoteForShell(value, 'powershell')
  return quoted === value ? `'${value}'` : quoted
}

function quotePosix(value: string): string {
  if (!UNSEEN.test(value)) return `'${value.replaceAll("'", "'\\''")}'`
  // bash, zsh and ksh interpret the escapes; plain sh on some systems does not, but there is no other visible form.
  const bytes = [...Buffer.from(value)].map((byte) =>
    byte > 0x1f && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`,
  )
  return `$'${bytes.join('')}'`
}

function quotePowerShell(value: string): string {
  const pieces = value
    .split(/(\p{C})/u)
    .filter((piece) => piece !== '')
    .map((piece) => (UNSEEN.test(piece) ? unitsOf(piece) : `'${piece.replace(POWERSHELL_QUOTES, '$&$&')}'`))
  if (pieces.length === 1 && !UNSEEN.test(value)) return pieces[0] ?? "''"
  return value === '' ? "''" : `('' + ${pieces.join(' + ')})`
}

function unitsOf(character: string): string {
  return Array.from(character.split(''), (unit) => `[char]${unit.charCodeAt(0)}`).join(' + ')
}
