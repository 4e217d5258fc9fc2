/** Joins the strings among its arguments: `classNames('row', isSelected && 'selected')`. */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}

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

/** Selects the next value, wrapping around. */
export function stepThrough<Value extends string>(
  choice: KeptChoice<Value> & { values: readonly Value[] },
): void {
  const { values } = choice
  const next = values[(values.indexOf(choice.get()) + 1) % values.length]
  if (next !== undefined) choice.set(next)
}

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

/**
 * Copies text to the clipboard and returns whether it worked. Browsers offer `navigator.clipboard` only on https and loopback; over a LAN
 * address the old way is the only one.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyThroughSelection(text)
  }
}

/** Shown if the browser does not copy. */
const NOT_ALLOWED = 'Not copied: the browser does not allow it here'

/** A text to copy, with an optional note to show afterwards. */
export interface Copied {
  text: string
  note: string | null
}

/** Result of copying, in words. */
export interface Copying {
  isCopied: boolean
  said: string
}

/** Copies a text and returns `Copied` with its note, or the reason for a failure. */
export async function copyAndSay(coming: string | Copied | Promise<string | Copied>): Promise<Copying> {
  try {
    const copied = await coming
    const { text, note } = typeof copied === 'string' ? { text: copied, note: null } : copied
    if (!(await copyText(text))) return { isCopied: false, said: NOT_ALLOWED }
    return { isCopied: true, said: note === null ? 'Copied' : `Copied: ${note}` }
  } catch (error) {
    return { isCopied: false, said: `Not copied: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function copyThroughSelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  document.body.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
  }
}

/** The live region that announces what was done. */
export const SAID_ID = 'said'

const SHORTEST_MS = 2_500
/** Roughly the time it takes to read. */
const MS_PER_LETTER = 60

let timer: number | undefined

/** Announces what a key or the palette did, where nothing else shows it. */
export function say(words: string): void {
  const place = document.getElementById(SAID_ID)
  if (place === null) return
  window.clearTimeout(timer)
  place.textContent = words
  const staysMs = Math.max(SHORTEST_MS, words.length * MS_PER_LETTER)
  timer = window.setTimeout(() => {
    place.textContent = ''
  }, staysMs)
}

export function sayCopied(isCopied: boolean): void {
  say(isCopied ? 'Copied' : NOT_ALLOWED)
}

/** Announces why an action failed. */
export function sayError(error: unknown): void {
  say(error instanceof Error ? error.message : String(error))
}
