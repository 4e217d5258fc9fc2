/** Joins what is a string: `classNames('row', isSelected && 'selected')`. */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}

/** A choice of the reader that their browser keeps, for all of its tabs. Read through `useSyncExternalStore`. */
export interface KeptChoice<Value> {
  get: () => Value
  set: (next: Value) => void
  subscribe: (listener: () => void) => () => void
}

/** `read` makes a value of what was kept, also of nothing and of nonsense; `write` what is kept, null where that is nothing. */
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
  // another tab chose; tests of what is pure run without a browser
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
    // Storage can be switched off; the choice then lasts until the page is closed.
  }
}

/** Light or dark. Read through `useSyncExternalStore`, as all of these. */
export const theme = onRoot('theme', ['system', 'light', 'dark'])

/** How high rows and lines are. */
export const density = onRoot('density', ['comfortable', 'compact'])

/** What stands beside a page: projects and filters, or a session's outline. */
export const sidebar = onRoot('sidebar', ['shown', 'hidden'])

/** Outline and strip beside a conversation. */
export const outline = onRoot('outline', ['shown', 'hidden'])

export const OPENED_PARTS = ['failures', 'edits', 'thoughts'] as const
export type OpenedPart = (typeof OPENED_PARTS)[number]

/** What of a conversation is open before the reader chose. */
export const openAtFirst = keptChoice<readonly OpenedPart[]>(
  'gemini-dash.open-at-first',
  (kept) => (kept === null ? ['failures'] : OPENED_PARTS.filter((part) => kept.split(' ').includes(part))),
  (parts) => parts.join(' '),
)

/** The next of its values, and again from the first. */
export function stepThrough<Value extends string>(
  choice: KeptChoice<Value> & { values: readonly Value[] },
): void {
  const { values } = choice
  const next = values[(values.indexOf(choice.get()) + 1) % values.length]
  if (next !== undefined) choice.set(next)
}

/**
 * One of a few words, the first where nothing was chosen; any other stands at the root, where the styles see it.
 * public/theme.js puts it there before the first paint.
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

/** Whether what names the reader, and secrets, are redacted in what is shared unless they say otherwise. */
export const redactsByDefault = keptChoice<boolean>(
  'gemini-dash.redact',
  (kept) => kept !== 'off',
  (isOn) => (isOn ? null : 'off'),
)

/** The trimmed texts of a form that are others than before, by the names of their fields. */
export function changedTexts(data: FormData, before: Record<string, string>): Record<string, string> {
  const texts = [...data].map(([name, text]) => [name, String(text).trim()] as const)
  return Object.fromEntries(texts.filter(([name, text]) => text !== (before[name] ?? '').trim()))
}

/** What was pressed is taken away by that: the focus goes on to the content of the page, and not to nowhere. */
export function focusMain(): void {
  document.getElementById('main')?.focus({ preventScroll: true })
}

/** Where a key of a walk leads among `count` steps from `current`, or from the last; null for any other key. */
export function nextStep(key: string, current: number | null, count: number): number | null {
  const here = current ?? count - 1
  if (key === 'ArrowLeft') return Math.max(here - 1, 0)
  if (key === 'ArrowRight') return Math.min(here + 1, count - 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

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

/** Keys by which browsers open their own find, or go on with it. */
const KEYS = /^[fg]$/i

let isCalled = false
const listeners = new Set<() => void>()

/** Whether the browser's own find was called on the page that is read. Read through `useSyncExternalStore`. */
export const pageFind = {
  get: () => isCalled,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

/** Hears the browser's keys for its find, which stay its own. Returns what ends that, when the page is left. */
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
 * Puts text on the clipboard and says whether it worked. Browsers offer `navigator.clipboard` only on https and
 * loopback; over a LAN address the older way is all there is.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyThroughSelection(text)
  }
}

/** What is said where the browser does not copy. */
const NOT_ALLOWED = 'Not copied: the browser does not allow it here'

/** A text to be copied, perhaps with what is quietly said once it is. */
export interface Copied {
  text: string
  note: string | null
}

/** What became of copying, in words. */
export interface Copying {
  isCopied: boolean
  said: string
}

/** Copies what comes: `Copied`, with its note, or why not. */
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

/** Where it stands what was done, for everybody to see and to hear. */
export const SAID_ID = 'said'

const SHORTEST_MS = 2_500
/** As long as reading takes. */
const MS_PER_LETTER = 60

let timer: number | undefined

/** Says in a line over the page what a key or the palette did, where nothing else shows it. */
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

/** Says why what a key or the palette asked for was not done. */
export function sayError(error: unknown): void {
  say(error instanceof Error ? error.message : String(error))
}
