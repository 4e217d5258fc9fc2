import type { Change, LeftOut, RedactOptions } from './change.ts'
import { isSecretAssignment } from './find-assignments.ts'
import { redactText } from './redact-text.ts'

export interface RedactedValue {
  value: unknown
  changes: Change[]
  leftOut: LeftOut[]
}

/** A JSON value, every text and every name in it redacted. Deep values are walked without recursion. */
export function redactValue(given: unknown, options: RedactOptions = {}): RedactedValue {
  const changes: Change[] = []
  const leftOut: LeftOut[] = []
  const clean = (text: string, at: string) => {
    const result = redactText(text, options, at)
    changes.push(...result.changes)
    leftOut.push(...result.leftOut)
    return result.text
  }
  const root: Record<string, unknown> = {}
  const waiting: Place[] = [{ into: root, key: 'value', name: '', value: given, at: '' }]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { into, key, name, value, at } = place
    if (typeof value === 'string') {
      const change = namedSecret(name, value, at, options)
      if (change !== null) changes.push(change)
      put(into, key, change === null ? clean(value, at) : change.replacement)
    } else if (Array.isArray(value)) {
      const list = new Array<unknown>(value.length)
      put(into, key, list)
      for (let index = value.length - 1; index >= 0; index--) {
        waiting.push({ into: list, key: index, name, value: value[index], at: `${at}[${index}]` })
      }
    } else if (typeof value === 'object' && value !== null) {
      const map: Record<string, unknown> = {}
      put(into, key, map)
      const used = new Set<string>()
      const children = Object.entries(value).map(([childName, child]) => {
        const childAt = at === '' ? childName : `${at}.${childName}`
        const childKey = unused(NO_SECRET.test(childName) ? childName : clean(childName, childAt), used)
        // taken now, so that the order of names stays as it was
        put(map, childKey, null)
        return { into: map, key: childKey, name: childName, value: child, at: childAt }
      })
      waiting.push(...children.reverse())
    } else put(into, key, value)
  }
  return { value: root.value, changes, leftOut }
}

/** Short names are most there are: no secret or address is made of so few letters. */
const NO_SECRET = /^[A-Za-z_$-]{1,16}$/

interface Place {
  into: object
  key: string | number
  /** The name that the value stands under: a text under `password` is one. */
  name: string
  value: unknown
  at: string
}

/** Also under `__proto__`, which a plain assignment would take for something else. */
function put(into: object, key: string | number, value: unknown): void {
  Object.defineProperty(into, key, { value, enumerable: true, writable: true, configurable: true })
}

/** Two names can be the same once they are redacted; neither value is lost. */
function unused(name: string, used: Set<string>): string {
  let free = name
  for (let number = 2; used.has(free); number++) free = `${name} (${number})`
  used.add(free)
  return free
}

function namedSecret(name: string, value: string, at: string, options: RedactOptions): Change | null {
  if (options.keepKinds?.has('secret') || options.keepValues?.has(value)) return null
  if (!isSecretAssignment(name, value)) return null
  const what = 'value named as a secret'
  const replacement = `[redacted: ${what}]`
  return {
    kind: 'secret',
    name: what,
    start: 0,
    end: value.length,
    replacement,
    value,
    before: `${name}: `,
    after: '',
    at,
  }
}
