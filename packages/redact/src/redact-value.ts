import type { Change, LeftOut, RedactOptions } from './changes.ts'
import { secretSpan } from './changes.ts'
import { isSecretAssignment } from './find-assignments.ts'
import { Known } from './known.ts'
import { learnText, redactText } from './redact-text.ts'

export interface RedactedValue {
  value: unknown
  changes: Change[]
  leftOut: LeftOut[]
}

/**
 * A JSON value, every text and every name in it redacted, and what one of its texts tells, in all of them. Deep values are
 * walked without recursion.
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
        // taken now, so that the order of names stays as it was
        put(map, childKey, null)
        return { into: map, key: childKey, name: nameOf(childName, value, name), value: child, at: childAt }
      })
      waiting.push(...children.reverse())
    } else put(into, key, value)
  }
  return { value: root.value, changes, leftOut }
}

/** Adds what a value tells to what is known. */
export function learnValue(known: Known, given: unknown, maxLength?: number): void {
  const waiting: { name: string; value: unknown }[] = [{ name: '', value: given }]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { name, value } = place
    if (typeof value === 'string') {
      if (value.length < 4) continue
      if (isSecretAssignment(name, value)) known.learn(value, secretSpan(NAMED, 0, value.length))
      else learnText(known, value, maxLength)
    } else if (Array.isArray(value)) {
      if (
        value.length > 1 &&
        value.length <= MOST_ARGUMENTS &&
        value.every((item) => typeof item === 'string')
      )
        learnText(
          known,
          value.map((item: string) => (/\s/.test(item) ? JSON.stringify(item) : item)).join(' '),
          maxLength,
        )
      for (const run of textRuns(value)) learnRun(known, run, maxLength)
      for (const item of value) waiting.push({ name, value: item })
    } else if (typeof value === 'object' && value !== null)
      for (const [childName, child] of Object.entries(value)) {
        if (!NO_SECRET.test(childName)) learnText(known, childName, maxLength)
        waiting.push({ name: nameOf(childName, value, name), value: child })
      }
  }
}

const NAMED = 'value named as a secret'
/** A longer list is none of arguments. */
const MOST_ARGUMENTS = 60

function knownOf(given: unknown, options: RedactOptions): Known {
  const known = new Known(options)
  learnValue(known, given, options.maxLength)
  return known
}

/** `{ name: 'DB_PASSWORD', value: '…' }`: the value is named by what stands beside it. */
function nameOf(name: string, of: object, holder: string): string {
  if (name !== 'value' && name !== 'Value') return name
  for (const other of ['name', 'key', 'Name', 'Key']) {
    const said: unknown = Reflect.get(of, other)
    if (typeof said === 'string' && said.length < 80) return said
  }
  return holder
}

interface TextRun {
  from: number
  field: 'text' | 'line'
  text: string
  lengths: number[]
}

/** Texts that follow each other in a list, as a stream or a search gave them: one text, broken anywhere. */
function textRuns(list: readonly unknown[]): TextRun[] {
  const runs: TextRun[] = []
  for (const field of ['text', 'line'] as const) {
    let from = 0
    let texts: string[] = []
    const end = (index: number) => {
      if (texts.length > 1)
        runs.push({
          from,
          field,
          text: texts.join(field === 'line' ? '\n' : ''),
          lengths: texts.map(({ length }) => length),
        })
      texts = []
      from = index + 1
    }
    for (const [index, item] of list.entries()) {
      const text: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, field) : undefined
      if (typeof text === 'string') texts.push(text)
      else end(index)
    }
    end(list.length)
  }
  return runs
}

/** What goes on from one text into the next is known as a whole and in pieces: others may put them together otherwise. */
function learnRun(known: Known, run: TextRun, maxLength?: number): void {
  learnText(known, run.text, maxLength)
  const ends = endsOf(run)
  for (const { kind, name, start, end } of splitChanges(run, ends, {}, '')) {
    if (kind !== 'secret') continue
    const places = [start, ...ends.filter((seam) => start < seam && seam < end), end]
    for (const [index, from] of places.entries()) {
      const piece = run.text.slice(from, places[index + 1] ?? end).trim()
      if (piece.length >= LEAST_PIECE) known.learn(piece, secretSpan(name, 0, piece.length))
    }
    known.learn(run.text, secretSpan(name, start, end - start))
  }
}

const LEAST_PIECE = 8

/** Where each text of a run ends. */
function endsOf({ field, lengths }: TextRun): number[] {
  const gap = field === 'line' ? 1 : 0
  let reached = -gap
  return lengths.map((length) => {
    reached += length + gap
    return reached
  })
}

/** What is replaced in a run and goes over an end. */
function splitChanges(
  { text }: TextRun,
  ends: readonly number[],
  options: RedactOptions,
  at: string,
): Change[] {
  return redactText(text, options, at).changes.filter(({ start, end }) =>
    ends.some((seam) => start < seam && seam < end),
  )
}

/** The same items, but where a secret goes on from one into the next: it is taken out of both. */
function withoutSplit(
  list: readonly unknown[],
  at: string,
  options: RedactOptions,
): { items: readonly unknown[]; split: Change[] } {
  const runs = textRuns(list)
  const items = [...list]
  const all: Change[] = []
  for (const run of runs) {
    const { from, field, text, lengths } = run
    const ends = endsOf(run)
    const split = splitChanges(run, ends, options, `${at}[${from}].${field}`)
    if (split.length === 0) continue
    all.push(...split)
    for (const [index, end] of ends.entries()) {
      const item = items[from + index]
      if (typeof item !== 'object' || item === null) continue
      const start = end - (lengths[index] ?? 0)
      items[from + index] = { ...item, [field]: pieceOf(text, start, end, split) }
    }
  }
  return { items, split: all }
}

/** A piece of a text: each change stands where it begins. */
function pieceOf(text: string, start: number, end: number, changes: readonly Change[]): string {
  let piece = ''
  let done = start
  for (const change of changes) {
    if (change.end <= start || change.start >= end) continue
    if (change.start >= start) piece += text.slice(done, change.start) + change.replacement
    done = Math.min(end, change.end)
  }
  return piece + text.slice(done, end)
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
  if (key === '__proto__') {
    Object.defineProperty(into, key, { value, enumerable: true, writable: true, configurable: true })
    return
  }
  const open = into as Record<string | number, unknown>
  open[key] = value
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
  return { ...secretSpan(NAMED, 0, value.length), value, before: `${name}: `, after: '', at }
}
