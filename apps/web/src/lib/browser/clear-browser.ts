/** What all names of ours begin with. */
const OURS = 'gemini-dash'

/** Takes everything back that this browser keeps for these pages, but for its sign-in. */
export function clearBrowser(): void {
  for (const storage of [() => localStorage, () => sessionStorage]) {
    try {
      const kept = storage()
      for (const name of Object.keys(kept)) if (name.startsWith(OURS)) kept.removeItem(name)
    } catch {
      // Storage is switched off: nothing is kept.
    }
  }
}
