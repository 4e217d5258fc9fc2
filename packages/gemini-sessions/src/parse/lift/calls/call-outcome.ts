const LABEL = 'Exit Code: '

/** Only a signal, process ids and a closing tag stand behind it. */
const TAIL_LENGTH = 2_000

/** A shell command that ends with another code than 0 has failed, though its status is `success`. */
export function isFailedCall(status: string, exitCode: number | null): boolean {
  return status === 'error' || (exitCode !== null && exitCode !== 0)
}

/** The exit code in a shell call's result text; null if it has none. The CLI's own line is the last of its kind. */
export function readExitCode(text: string): number | null {
  const tail = text.slice(-TAIL_LENGTH)
  for (let at = tail.lastIndexOf(LABEL); at !== -1; at = at === 0 ? -1 : tail.lastIndexOf(LABEL, at - 1)) {
    if (at > 0 && tail[at - 1] !== '\n') continue
    const code = /^-?\d+/.exec(tail.slice(at + LABEL.length, at + LABEL.length + 12))
    return code ? Number(code[0]) : null
  }
  return null
}
