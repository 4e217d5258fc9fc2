/** Is the whole text this? `*` stands for anything, `?` for one character; case does not matter. Linear in text times pattern. */
export function wildcardPattern(pattern: string): (text: string) => boolean {
  const wanted = pattern.toLowerCase()
  if (wanted.includes('?')) {
    // Characters, not halves of them.
    const characters = [...wanted]
    return (text) => matches(characters, [...text.toLowerCase()])
  }
  const end = wanted.slice(1)
  // `*.ts` is by far the most common.
  if (wanted.startsWith('*') && !end.includes('*')) return (text) => text.toLowerCase().endsWith(end)
  return wanted.includes('*')
    ? (text) => matches(wanted, text.toLowerCase())
    : (text) => text.toLowerCase() === wanted
}

/** After a mismatch only the last `*` has to take one character more. */
function matches(pattern: string | string[], text: string | string[]): boolean {
  let at = 0
  let position = 0
  let star = -1
  let starPosition = 0
  while (position < text.length) {
    if (pattern[at] === '*') {
      star = at++
      starPosition = position
    } else if (pattern[at] === '?' || pattern[at] === text[position]) {
      at++
      position++
    } else if (star >= 0) {
      at = star + 1
      position = ++starPosition
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
