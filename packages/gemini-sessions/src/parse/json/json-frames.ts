import { cutMark } from './cut-mark.ts'
import { JSON_BYTES } from './json-bytes.ts'
import type { JsonStreamLimits } from './json-stream-options.ts'

/** The field that a list of messages is, in the root or in an object there. */
const RECORDS = 'messages'
const RECORDS_DEPTH = 2

/** An open list or object. */
export interface JsonFrame {
  start: number
  list: unknown[] | null
  fields: Record<string, unknown>
  /** Name of the field whose value comes next. */
  name: string
  /** Fields or items that are held. */
  count: number
  /** Others follow them. */
  isCut: boolean
  /** It is a list of messages, each of which is a record of its own. */
  isOfRecords: boolean
  /** How deep in its record; 0: it is the record. */
  level: number
  expects: 'first' | 'name' | 'colon' | 'value' | 'comma'
}

/** The lists and objects that are open, each in the one before it, and what is held of them. */
export class JsonFrames {
  readonly #limits: JsonStreamLimits
  readonly #frames: JsonFrame[] = []
  /** In the record that is being read, as far as it is opened. */
  #values = 0

  constructor(limits: JsonStreamLimits) {
    this.#limits = limits
  }

  get depth(): number {
    return this.#frames.length
  }

  get last(): JsonFrame | undefined {
    return this.#frames[this.#frames.length - 1]
  }

  /** Of the fields that are open; '' for lists. */
  names(): string[] {
    return this.#frames.slice(0, -1).map((frame) => frame.name)
  }

  /** What is whole of the root: the fields of an object and, in the list that was being read, the items. */
  salvage(): unknown {
    const [root, list] = this.#frames
    if (!root || root.list) return undefined
    return list?.list ? { ...root.fields, [root.name]: [...list.list] } : { ...root.fields }
  }

  open(start: number, firstByte: number): void {
    const outer = this.last
    const list = firstByte === JSON_BYTES.listStart ? [] : null
    const isOfRecords = list !== null && this.#frames.length <= RECORDS_DEPTH && outer?.name === RECORDS
    const level = outer === undefined || outer.isOfRecords ? 0 : outer.level + 1
    this.#frames.push({
      start,
      list,
      fields: {},
      name: '',
      count: 0,
      isCut: false,
      isOfRecords,
      level,
      expects: 'first',
    })
  }

  /** Closes the last one. What was cut of it ends in a mark that says how many bytes it had. */
  close(sizeBytes: number): unknown {
    const frame = this.#frames.pop()
    if (frame === undefined) return undefined
    const { list, fields, count, isCut, isOfRecords } = frame
    if (isCut) {
      const mark = cutMark(sizeBytes, `${count} ${list ? 'items' : 'fields'}`)
      if (list === null) fields['…'] = mark
      else if (!isOfRecords) list.push(mark)
    }
    return list ?? fields
  }

  isFull({ count, isOfRecords, level }: JsonFrame): boolean {
    const { maxRecords, maxEntries, maxValues } = this.#limits
    // Of the record itself all fields are read: without them it would be another one.
    return count === (isOfRecords ? maxRecords : maxEntries) || (level > 0 && this.#values >= maxValues)
  }

  /** The byte ends it. */
  isEnd({ list, expects }: JsonFrame, byte: number): boolean {
    const end = list ? JSON_BYTES.listEnd : JSON_BYTES.objectEnd
    return byte === end && (expects === 'first' || expects === 'comma')
  }

  /** Takes what stands between values. false: it must not stand here. */
  accept(frame: JsonFrame, byte: number): boolean {
    const { comma, colon } = JSON_BYTES
    if (frame.expects === 'colon' && byte === colon) frame.expects = 'value'
    else if (frame.expects === 'comma' && byte === comma) frame.expects = frame.list ? 'value' : 'name'
    else return false
    return true
  }

  /** The value that comes next is of this field. */
  name(name: string): void {
    const frame = this.last
    if (!frame) return
    frame.name = name
    frame.expects = 'colon'
  }

  /** They were parsed in one go. */
  noteValues(bytes: Uint8Array): void {
    this.#values += countValues(bytes)
  }

  put(frame: JsonFrame, value: unknown): void {
    frame.expects = 'comma'
    frame.count += 1
    this.#values = frame.isOfRecords ? 0 : this.#values + 1
    if (frame.list) frame.list.push(value)
    else setField(frame.fields, frame.name, value)
  }
}

/** As `JSON.parse` does it: `__proto__` is a field like any other. */
function setField(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') fields[name] = value
  else Object.defineProperty(fields, name, { value, writable: true, enumerable: true, configurable: true })
}

/** About how many values these bytes of JSON hold: commas, lists and objects outside of texts. */
function countValues(bytes: Uint8Array): number {
  let count = 1
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === JSON_BYTES.comma || byte === JSON_BYTES.listStart || byte === JSON_BYTES.objectStart)
      count += 1
    else if (byte === JSON_BYTES.quote) at = endOfText(bytes, at + 1)
  }
  return count
}

function endOfText(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== JSON_BYTES.quote) at += bytes[at] === JSON_BYTES.backslash ? 2 : 1
  return at
}
