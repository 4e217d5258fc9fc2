/** Joins the strings among its arguments: `classNames('row', isSelected && 'selected')`. */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}

/** The changed texts of a form, trimmed, by field name. */
export function changedTexts(data: FormData, before: Record<string, string>): Record<string, string> {
  const texts = [...data].map(([name, text]) => [name, String(text).trim()] as const)
  return Object.fromEntries(texts.filter(([name, text]) => text !== (before[name] ?? '').trim()))
}

/** The pressed control disappears with its action: moves the focus to the main content instead of losing it. */
export function focusMain(): void {
  document.getElementById('main')?.focus({ preventScroll: true })
}

/** Target of an arrow, Home or End key among `count` steps from `current` (the last step if null); null for any other key. */
export function nextStep(key: string, current: number | null, count: number): number | null {
  const here = current ?? count - 1
  if (key === 'ArrowLeft') return Math.max(here - 1, 0)
  if (key === 'ArrowRight') return Math.min(here + 1, count - 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

/** Letters of the browser's shortcuts for find and find next. */
const KEYS = /^[fg]$/i

let isCalled = false
const listeners = new Set<() => void>()

/** Whether the browser's own find was opened on this page. Read through `useSyncExternalStore`. */
export const pageFind = {
  get: () => isCalled,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

/** Detects the browser's find shortcuts without intercepting them. Returns a function that stops it. */
export function hearPageFind(onCall: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (key !== 'F3' && !(KEYS.test(key) && (ctrlKey || metaKey) && !altKey && !shiftKey)) return
    set(true)
    onCall()
  }
  window.addEventListener('keydown', onKey, { capture: true })
  return () => {
    window.removeEventListener('keydown', onKey, { capture: true })
    set(false)
  }
}

function set(next: boolean) {
  isCalled = next
  for (const notify of listeners) notify()
}
