import { isRawObject, type RawObject } from '../../raw/raw-object.ts'

const BACKSLASH = 92
const QUOTE = 34
const BLANK = 32
/** After these a value is expected: what stands there belongs to the record, torn or not. */
const BEFORE_VALUE = new Set([91, 44, 58])
/** Longer lines are torn by something else than a killed CLI, and reading them again and again takes long. */
const MAX_BYTES = 1024 * 1024
const MAX_TRIES = 20

/**
 * The whole record at the end of a line that begins with a torn one: the CLI was killed while it wrote, and the next one
 * appends without looking. null: there is none. Quotes within a text of JSON are escaped, so a record that seems to begin
 * within one does begin there.
 */
export function findGluedRow(text: string): RawObject | null {
  if (text.length > MAX_BYTES) return null
  let scan = new Scan(text, 0)
  let tries = 0
  for (const { index } of text.matchAll(BEGINNING)) {
    if (index === 0) continue
    scan.goTo(index)
    if (!scan.isInString && BEFORE_VALUE.has(scan.last)) continue
    const row = parse(text.slice(index))
    if (row !== null && isRecord(row)) return row
    tries += 1
    if (tries === MAX_TRIES) return null
    // another record that was torn: what follows is judged from there
    scan = new Scan(text, index)
  }
  return null
}

const BEGINNING = /\{"(?:id|sessionId|\$set|\$rewindTo|\$patch)":/g

function isRecord(row: RawObject): boolean {
  const isMessage = typeof row.id === 'string' && typeof row.type === 'string' && 'content' in row
  const isMetadata = typeof row.sessionId === 'string' && typeof row.projectHash === 'string'
  return isMessage || isMetadata || isRawObject(row.$set) || isRawObject(row.$patch) || '$rewindTo' in row
}

function parse(text: string): RawObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRawObject(value) ? value : null
  } catch {
    return null
  }
}

/** Whether a place of a JSON text lies within a string, and what stands before it. */
class Scan {
  isInString = false
  /** The last character outside of strings that is not blank. */
  last = 0
  readonly #text: string
  #at: number

  constructor(text: string, at: number) {
    this.#text = text
    this.#at = at
  }

  goTo(end: number): void {
    for (; this.#at < end; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === QUOTE) {
        this.isInString = !this.isInString
        this.last = code
      } else if (!this.isInString) {
        if (code > BLANK) this.last = code
      } else if (code === BACKSLASH) this.#at += 1
    }
  }
}
