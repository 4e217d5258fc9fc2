const LABEL = 'Exit Code: '

/** The exit code in a shell call's result text; null if it has none. The CLI's own line is the last of its kind. */
export function readExitCode(text: string): number | null {
  for (let at = text.lastIndexOf(LABEL); at !== -1; at = at === 0 ? -1 : text.lastIndexOf(LABEL, at - 1)) {
    if (at > 0 && text[at - 1] !== '\n') continue
    const code = /^-?\d+/.exec(text.slice(at + LABEL.length, at + LABEL.length + 12))
    return code ? Number(code[0]) : null
  }
  return null
}
