/** Enough to recognise any name a program would choose. */
const MAX_CHARACTERS = 64
const PLAIN = /^[ -~]{1,64}$/
/** What a terminal or a page would act on, or not show: controls, direction marks, half characters, private use. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u

/** A name out of a file as it can be kept and shown: cut, and with `\u{7}` for what is no letter of any kind. */
export function printableName(name: string): string {
  if (PLAIN.test(name)) return name
  if (name === '') return '(empty)'
  const characters = [...name.slice(0, 2 * MAX_CHARACTERS + 1)]
  const shown = characters.slice(0, MAX_CHARACTERS).map(escapeCharacter).join('')
  return characters.length > MAX_CHARACTERS ? `${shown}…` : shown
}

function escapeCharacter(character: string): string {
  return UNPRINTABLE.test(character) ? `\\u{${character.codePointAt(0)?.toString(16)}}` : character
}
