/** A preference stored in the browser, shared by all tabs. Read through `useSyncExternalStore`. */
export interface KeptChoice<Value> {
  get: () => Value
  set: (next: Value) => void
  subscribe: (listener: () => void) => () => void
}

/** `read` parses the stored text, including null and invalid text; `write` serializes a value, null to remove it. */
export function keptChoice<Value>(
  storageKey: string,
  read: (kept: string | null) => Value,
  write: (value: Value) => string | null,
): KeptChoice<Value> {
  const listeners = new Set<() => void>()
  let chosen = read(kept(storageKey))
  const become = (next: Value) => {
    chosen = next
    for (const notify of listeners) notify()
  }
  // another tab changed it; unit tests run without a browser
  globalThis.addEventListener?.('storage', (event) => {
    if (event instanceof StorageEvent && (event.key === storageKey || event.key === null))
      become(read(kept(storageKey)))
  })
  return {
    get: () => chosen,
    set(next) {
      keep(storageKey, write(next))
      become(next)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

function kept(storageKey: string): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

function keep(storageKey: string, text: string | null) {
  try {
    if (text === null) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, text)
  } catch {
    // Storage may be disabled; the choice then lasts until the page is closed.
  }
}

/** Light or dark. Like the others below, read through `useSyncExternalStore`. */
export const theme = onRoot('theme', ['system', 'light', 'dark'])

/** Height of rows and lines. */
export const density = onRoot('density', ['comfortable', 'compact'])

/** The sidebar of a page: projects and filters, or a session's outline. */
export const sidebar = onRoot('sidebar', ['shown', 'hidden'])

/** Outline and minimap beside a conversation. */
export const outline = onRoot('outline', ['shown', 'hidden'])

export const OPENED_PARTS = ['failures', 'edits', 'thoughts'] as const
export type OpenedPart = (typeof OPENED_PARTS)[number]

/** Parts of a conversation that are open by default. */
export const openAtFirst = keptChoice<readonly OpenedPart[]>(
  'gemini-dash.open-at-first',
  (kept) => (kept === null ? ['failures'] : OPENED_PARTS.filter((part) => kept.split(' ').includes(part))),
  (parts) => parts.join(' '),
)

/**
 * One of a few words, the first by default; any other is set as an attribute on the root element for the styles. public/theme.js sets it
 * before the first paint.
 */
function onRoot<const Value extends string>(name: string, values: readonly [Value, ...Value[]]) {
  const [first] = values
  const kept = keptChoice<Value>(
    `gemini-dash.${name}`,
    (text) => values.find((value) => value === text) ?? first,
    (value) => (value === first ? null : value),
  )
  kept.subscribe(() => {
    const value = kept.get()
    if (value === first) delete document.documentElement.dataset[name]
    else document.documentElement.dataset[name] = value
  })
  return { ...kept, values }
}

/** Whether exports redact secrets and what identifies the reader by default. */
export const redactsByDefault = keptChoice<boolean>(
  'gemini-dash.redact',
  (kept) => kept !== 'off',
  (isOn) => (isOn ? null : 'off'),
)

/** Prefix of all our storage keys. */
const OURS = 'gemini-dash'

/** Deletes everything these pages store in the browser except the sign-in. */
export function clearBrowser(): void {
  for (const storage of [() => localStorage, () => sessionStorage]) {
    try {
      const kept = storage()
      for (const name of Object.keys(kept)) if (name.startsWith(OURS)) kept.removeItem(name)
    } catch {
      // Storage is disabled: nothing is stored.
    }
  }
}

/** Selects the next value, wrapping around. */
export function stepThrough<Value extends string>(
  choice: KeptChoice<Value> & { values: readonly Value[] },
): void {
  const { values } = choice
  const next = values[(values.indexOf(choice.get()) + 1) % values.length]
  if (next !== undefined) choice.set(next)
}
