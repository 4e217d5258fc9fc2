import { foldTextOnly, wildcardPattern } from '@gemini-dash/session-index'

/** Something that has a name, and how it is called on screen where that is another. */
interface Named {
  name: string
  label?: string
}

/**
 * The names that a person means by what was typed: the one that is exactly so, else those that are so but for case and
 * accents, else those that are called so on screen. Without any, `*` is anything, `?` one character, and a text without
 * either is a part of the name.
 */
export function matchNames(typed: string, known: readonly Named[]): ReadonlySet<string> {
  const text = foldTextOnly(typed)
  const squeezed = squeeze(text)
  const fits = matcherOf(text)
  const kinds: ((named: Named) => boolean)[] = [
    ({ name }) => name === typed,
    ({ name }) => foldTextOnly(name) === text,
    ({ label }) => label !== undefined && squeezed !== '' && squeeze(foldTextOnly(label)) === squeezed,
    ({ name, label }) => fits(foldTextOnly(name)) || (label !== undefined && fits(foldTextOnly(label))),
  ]
  for (const isMeant of kinds) {
    const found = known.filter(isMeant)
    if (found.length > 0) return new Set(found.map(({ name }) => name))
  }
  return new Set()
}

function matcherOf(text: string): (name: string) => boolean {
  return /[*?]/.test(text) ? wildcardPattern(text) : (name) => text !== '' && name.includes(text)
}

/** `Read file`, `read-file` and `ReadFile` are one. */
function squeeze(text: string): string {
  return text.replace(/[\s_-]+/g, '')
}
