import type { Shell } from '@gemini-dash/api'

/** What no shell reads as anything but itself. */
const PLAIN = /^[\w./][\w./:-]*$/
/** Nobody sees these on a screen, or they do something to it. */
const UNSEEN = /\p{C}/u
/** PowerShell takes the typographic ones for the same. */
const POWERSHELL_QUOTES = /['\u2018-\u201b]/g

/** That of the system on which this runs. */
export function ownShell(platform = process.platform): Shell {
  return platform === 'win32' ? 'powershell' : 'posix'
}

/** A value as one word of a command: whatever stands in it, the shell hands on exactly that. */
export function quoteForShell(value: string, shell: Shell): string {
  if (PLAIN.test(value)) return value
  return shell === 'posix' ? quotePosix(value) : quotePowerShell(value)
}

/** On the right of an assignment of PowerShell a bare word would be a command. */
export function quoteValue(value: string): string {
  const quoted = quoteForShell(value, 'powershell')
  return quoted === value ? `'${value}'` : quoted
}

function quotePosix(value: string): string {
  if (!UNSEEN.test(value)) return `'${value.replaceAll("'", "'\\''")}'`
  // bash, zsh and ksh read the escapes; plain sh of some systems does not, but then nothing else can be shown.
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
