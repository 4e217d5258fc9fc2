const NAME = 'gemini-dash-dismissed-warnings'

/** Codes of the warnings that were hidden in this tab. */
export function readDismissedWarnings(): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? '[]')
  } catch {
    return []
  }
}

export function keepDismissedWarnings(codes: readonly string[]): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(codes))
  } catch {
    // Not allowed here: they are hidden until the page is loaded again.
  }
}
