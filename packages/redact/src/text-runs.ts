import type { Change } from './change.ts'
import { type RedactOptions, redactText } from './redact-text.ts'

/** Least length of a piece of a secret: a shorter one is not distinctive. */
const LEAST_PIECE = 8

/** Consecutive texts in a list, from a stream or a search: one text, broken anywhere. */
export class TextRun {
  readonly text: string
  /** Where each of the texts ends. */
  readonly #ends: number[] = []
  readonly #from: number
  readonly #texts: readonly string[]
  readonly #field: Field

  constructor(from: number, field: Field, texts: readonly string[]) {
    this.#from = from
    this.#field = field
    this.#texts = texts
    const joint = field === 'line' ? '\n' : ''
    this.text = texts.join(joint)
    let reached = -joint.length
    for (const { length } of texts) {
      reached += length + joint.length
      this.#ends.push(reached)
    }
  }

  /** Changes that extend from one text into the next. */
  split(options: RedactOptions, at = ''): Change[] {
    const found = redactText(
      this.text,
      options,
      `${at}[${this.#from}]${this.#field === '' ? '' : `.${this.#field}`}`,
    )
    return found.changes.filter(({ start, end }) => this.#ends.some((seam) => start < seam && seam < end))
  }

  /** Secrets that continue in the next text, and their pieces, since they may be joined differently elsewhere. */
  splitSecrets(): { text: string; name: string }[] {
    return this.split({}).flatMap(({ kind, name, start, end }) => {
      if (kind !== 'secret') return []
      const places = [start, ...this.#ends.filter((seam) => start < seam && seam < end), end]
      const pieces = places.map((from, index) => this.text.slice(from, places[index + 1] ?? end).trim())
      return [this.text.slice(start, end), ...pieces.filter(({ length }) => length >= LEAST_PIECE)].map(
        (text) => ({
          text,
          name,
        }),
      )
    })
  }

  /** Puts its texts into a list without these changes; each replacement goes where its change begins. */
  writeInto(items: unknown[], changes: readonly Change[]): void {
    for (const [index, end] of this.#ends.entries()) {
      const start = end - (this.#texts[index]?.length ?? 0)
      let text = ''
      let done = start
      for (const change of changes) {
        if (change.end <= start || change.start >= end) continue
        if (change.start >= start) text += this.text.slice(done, change.start) + change.replacement
        done = Math.min(end, change.end)
      }
      text += this.text.slice(done, end)
      const item = items[this.#from + index]
      items[this.#from + index] = this.#field === '' ? text : { ...(item as object), [this.#field]: text }
    }
  }
}

/** Which property of a list item has the text; '': the item is the text. */
type Field = 'text' | 'line' | ''
const FIELDS: readonly Field[] = ['text', 'line', '']

export function textRuns(list: readonly unknown[]): TextRun[] {
  return FIELDS.flatMap((field) => {
    const runs: TextRun[] = []
    let texts: string[] = []
    for (const [index, item] of [...list, null].entries()) {
      const text: unknown =
        field === '' ? item : typeof item === 'object' && item !== null ? Reflect.get(item, field) : undefined
      if (typeof text === 'string') texts.push(text)
      else {
        if (texts.length > 1) runs.push(new TextRun(index - texts.length, field, texts))
        texts = []
      }
    }
    return runs
  })
}

/** The same items, with secrets that extend from one into the next removed from both. */
export function withoutSplit(
  list: readonly unknown[],
  at: string,
  options: RedactOptions,
): { items: readonly unknown[]; split: Change[] } {
  const items = [...list]
  const split = textRuns(list).flatMap((run) => {
    const changes = run.split(options, at)
    if (changes.length > 0) run.writeInto(items, changes)
    return changes
  })
  return { items, split }
}
