import { useLayoutEffect, useRef } from 'react'
import { tinykeys } from 'tinykeys'
import type { Action } from './action-table.ts'
import { type ActionName, actions } from './action-table.ts'
import { keptChoice } from './browser.ts'

/** A handler returns false to leave the key to the browser. From the palette and from menus it comes without a key. */
type Handler = (event?: KeyboardEvent) => false | undefined
export type Handlers = Partial<Record<ActionName, Handler>>

/** Whether letters and signs alone are keys: who speaks to the computer switches that off, and keeps those with Ctrl. */
export const singleKeys = keptChoice<boolean>(
  'gemini-dash.single-keys',
  (kept) => kept !== 'off',
  (isOn) => (isOn ? null : 'off'),
)

/** What can be done now, by name; what was drawn last comes first. */
const bound = new Map<ActionName, Handler[]>()

/** Runs what stands behind the name now. False: nothing does. */
export function runAction(name: ActionName): boolean {
  const handler = bound.get(name)?.at(-1)
  handler?.()
  return handler !== undefined
}

/** The names behind which something stands now, in the order of the table. */
export function boundActions(): ActionName[] {
  return (Object.keys(actions) as ActionName[]).filter((name) => (bound.get(name)?.length ?? 0) > 0)
}

/** Binds actions while the component is mounted. Their keys never act while someone types, composes or holds another modifier. */
export function useActions(handlers: Handlers) {
  const latest = useRef(handlers)
  useLayoutEffect(() => {
    latest.current = handlers
  })
  const names = Object.keys(handlers).sort().join(' ')
  // before it is painted: what is seen has its keys
  useLayoutEffect(() => {
    const own = names
      .split(' ')
      .filter((name): name is ActionName => Object.hasOwn(actions, name))
      .map((name) => {
        const run: Handler = (event) => latest.current[name]?.(event)
        return { name, run, keys: actions[name].keys }
      })
    for (const { name, run } of own) bound.set(name, [...(bound.get(name) ?? []), run])
    const bindings = own.flatMap(({ run, keys }) => keys.map((key) => [key, onKey(key, run)] as const))
    const release = tinykeys(window, Object.fromEntries(bindings))
    return () => {
      release()
      for (const { name, run } of own)
        bound.set(
          name,
          (bound.get(name) ?? []).filter((each) => each !== run),
        )
    }
  }, [names])
}

function onKey(key: Action['keys'][number], run: Handler) {
  const hasModifier = key.startsWith('$mod')
  const isLetter = /^(Shift\+)?.( .)?$/.test(key)
  return (event: KeyboardEvent) => {
    if (event.isComposing || event.defaultPrevented) return
    // some keyboards write `[` with AltGr, which is Ctrl and Alt to some systems
    const isWriting = event.getModifierState('AltGraph')
    if (event.altKey && !isWriting) return
    if (!hasModifier && (((event.ctrlKey || event.metaKey) && !isWriting) || isForElement(event))) return
    if (isLetter && (!singleKeys.get() || (isSecond && !key.includes(' ')))) return
    if (run(event) !== false) event.preventDefault()
  }
}

/** tinykeys waits so long for the second key of two. */
const SECOND_KEY_MS = 1_000

/** The key that is pressed now goes with the `g` before it, and is not meant alone. */
let isSecond = false
let firstKeyAt = Number.NEGATIVE_INFINITY
// none where a document is drawn
globalThis.addEventListener?.(
  'keydown',
  (event) => {
    const { key, shiftKey, timeStamp } = event
    if (key === 'Shift') return
    isSecond = timeStamp - firstKeyAt < SECOND_KEY_MS
    const isFirst = key === 'g' && !shiftKey && !isSecond && !isForElement(event)
    firstKeyAt = isFirst ? timeStamp : Number.NEGATIVE_INFINITY
  },
  { capture: true },
)

/** What has the focus takes the key itself. */
function isForElement({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.matches('input, textarea, select')) return true
  // Enter on a button or link does what that button or link does.
  return key === 'Enter' && target.matches('a, button, summary')
}

/** `Shift+J`, `g h` and `$mod+K` as the caps that are pressed; a sign needs no Shift to be told. */
export function keyCaps(keys: string): string[] {
  if (keys === 'Shift+?') return ['?']
  const isApple = /Mac|iP(hone|ad|od)/.test(navigator.platform)
  return keys.split(/ |(?<=.)\+/).map((key) => (key === '$mod' ? (isApple ? '⌘' : 'Ctrl') : key))
}
