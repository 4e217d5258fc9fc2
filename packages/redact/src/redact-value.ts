import { type Change, type LeftOut, secretSpan } from './change.ts'
import { isSecretAssignment } from './find-assignments.ts'
import { Known } from './known.ts'
import { givenOf, learnText, type RedactOptions, redactText } from './redact-text.ts'
import { textRuns, withoutSplit } from './text-runs.ts'

export interface RedactedValue {
  value: unknown
  changes: Change[]
  leftOut: LeftOut[]
}

/**
 * A JSON value with every text and name redacted; what one of its texts reveals is redacted in all of them. Walks deep values without
 * recursion.
 */
export function redactValue(given: unknown, asked: RedactOptions = {}): RedactedValue {
  const options = { ...asked, known: asked.known ?? knownOf(given, asked) }
  const changes: Change[] = []
  const leftOut: LeftOut[] = []
  const clean = (text: string, at: string) => {
    const result = redactText(text, options, at)
    for (const change of result.changes) changes.push(change)
    for (const left of result.leftOut) leftOut.push(left)
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
      const { items, split } = withoutSplit(value, at, options)
      for (const change of split) changes.push(change)
      for (let index = value.length - 1; index >= 0; index--) {
        waiting.push({ into: list, key: index, name, value: items[index], at: `${at}[${index}]` })
      }
    } else if (typeof value === 'object' && value !== null) {
      const map: Record<string, unknown> = {}
      put(into, key, map)
      const used = new Set<string>()
      const children = Object.entries(value).map(([childName, child]) => {
        const childAt = at === '' ? childName : `${at}.${childName}`
        const childKey = unused(NO_SECRET.test(childName) ? childName : clean(childName, childAt), used)
        // put now, to keep the order of names
        put(map, childKey, null)
        return { into: map, key: childKey, name: nameOf(childName, value, name), value: child, at: childAt }
      })
      waiting.push(...children.reverse())
    } else put(into, key, value)
  }
  return { value: root.value, changes, leftOut }
}

/** Adds what a value reveals to `known`. */
export function learnValue(known: Known, given: unknown, options: RedactOptions = {}): void {
  const learn = (text: string) => learnText(known, text, options.maxLength)
  const waiting: { name: string; value: unknown }[] = [{ name: '', value: given }]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { name, value } = place
    if (typeof value === 'string') {
      if (isSecretAssignment(name, value)) known.learn(value, secretSpan(NAMED, 0, value.length))
      else learn(value)
    } else if (Array.isArray(value)) {
      // the arguments of a command
      if (
        value.length > 1 &&
        value.length <= MOST_ARGUMENTS &&
        value.every((item) => typeof item === 'string')
      )
        learn(value.map((item: string) => (/\s/.test(item) ? JSON.stringify(item) : item)).join(' '))
      for (const run of textRuns(value)) {
        learn(run.text)
        for (const { text, name: what } of run.splitSecrets())
          known.learn(text, secretSpan(what, 0, text.length))
      }
      for (const item of value) waiting.push({ name, value: item })
    } else if (typeof value === 'object' && value !== null)
      for (const [childName, child] of Object.entries(value)) {
        if (!NO_SECRET.test(childName)) learn(childName)
        waiting.push({ name: nameOf(childName, value, name), value: child })
      }
  }
}

const NAMED = 'value named as a secret'
/** A longer list is not a list of arguments. */
const MOST_ARGUMENTS = 60

function knownOf(given: unknown, options: RedactOptions): Known {
  const known = new Known({}, givenOf(options))
  learnValue(known, given, options)
  return known
}

/** `{ name: 'DB_PASSWORD', value: '…' }`: the value is named by a sibling. */
function nameOf(name: string, of: object, holder: string): string {
  if (name !== 'value' && name !== 'Value') return name
  for (const other of ['name', 'key', 'Name', 'Key']) {
    const said: unknown = Reflect.get(of, other)
    if (typeof said === 'string' && said.length < 80) return said
  }
  return holder
}

/** Most names are short: no secret or address fits these characters. */
const NO_SECRET = /^[A-Za-z_$-]{1,16}$/

interface Place {
  into: object
  key: string | number
  /** The name of the value: a text under `password` is a secret. */
  name: string
  value: unknown
  at: string
}

/** Also for `__proto__`, which a plain assignment would treat specially. */
function put(into: object, key: string | number, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(into, key, { value, enumerable: true, writable: true, configurable: true })
  else (into as Record<string | number, unknown>)[key] = value
}

/** Two names can become equal once redacted; neither value is lost. */
function unused(name: string, used: Set<string>): string {
  let free = name
  for (let number = 2; used.has(free); number++) free = `${name} (${number})`
  used.add(free)
  return free
}

function namedSecret(name: string, value: string, at: string, options: RedactOptions): Change | null {
  if (options.keepKinds?.has('secret') || options.keepValues?.has(value)) return null
  if (!isSecretAssignment(name, value)) return null
  return { ...secretSpan(NAMED, 0, value.length), value, before: `${name}: `, after: '', at }
}
