import { useLayoutEffect, useRef } from 'react'
import { tinykeys } from 'tinykeys'
import { type Action, type ActionName, actions } from './action-table.ts'
import { keptChoice } from './preferences.ts'

/** A handler returns false to leave the key to the browser. The palette and menus call it without an event. */
type Handler = (event?: KeyboardEvent) => false | undefined
export type Handlers = Partial<Record<ActionName, Handler>>

/** Whether single letters and symbols act as keys. Users of speech input turn this off and keep the Ctrl shortcuts. */
export const singleKeys = keptChoice<boolean>(
  'gemini-dash.single-keys',
  (kept) => kept !== 'off',
  (isOn) => (isOn ? null : 'off'),
)

/** Bound handlers by action; the last one mounted wins. */
const bound = new Map<ActionName, Handler[]>()

/** Runs the handler of an action. Returns false if none is bound. */
export function runAction(name: ActionName): boolean {
  const handler = bound.get(name)?.at(-1)
  handler?.()
  return handler !== undefined
}

/** Actions with a handler, in the order of the table. */
export function boundActions(): ActionName[] {
  return (Object.keys(actions) as ActionName[]).filter((name) => (bound.get(name)?.length ?? 0) > 0)
}

/** Binds actions while the component is mounted. Their keys are ignored while the user types, composes or holds another modifier. */
export function useActions(handlers: Handlers) {
  const latest = useRef(handlers)
  useLayoutEffect(() => {
    latest.current = handlers
  })
  const names = Object.keys(handlers).sort().join(' ')
  // before paint: what is visible has its keys
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
    // some keyboards type `[` with AltGr, which some systems report as Ctrl and Alt
    const isWriting = event.getModifierState('AltGraph')
    if (event.altKey && !isWriting) return
    if (!hasModifier && (((event.ctrlKey || event.metaKey) && !isWriting) || isForElement(event))) return
    if (isLetter && (!singleKeys.get() || (isSecond && !key.includes(' ')))) return
    if (run(event) !== false) event.preventDefault()
  }
}

/** How long tinykeys waits for the second key of a sequence. */
const SECOND_KEY_MS = 1_000

/** The current key completes a `g` sequence and is not meant alone. */
let isSecond = false
let firstKeyAt = Number.NEGATIVE_INFINITY
// undefined where a document is rendered without a browser
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

/** The focused element handles the key itself. */
function isForElement({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.matches('input, textarea, select')) return true
  // Enter activates the focused button or link.
  return key === 'Enter' && target.matches('a, button, summary')
}

/** `Shift+J`, `g h` and `$mod+K` as key caps; a symbol is shown without Shift. */
export function keyCaps(keys: string): string[] {
  if (keys === 'Shift+?') return ['?']
  const isApple = /Mac|iP(hone|ad|od)/.test(navigator.platform)
  return keys.split(/ |(?<=.)\+/).map((key) => (key === '$mod' ? (isApple ? '⌘' : 'Ctrl') : key))
}
