import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { formatPlural } from '@gemini-dash/api/figures'
import { z } from 'zod'
import { alone, isAway } from './data-folder.ts'
import {
  asidesOf,
  copyOf,
  FORMAT_VERSION,
  type Found,
  fileIdentity,
  Hindrance,
  parseJson,
  putAside,
  readOwnFile,
  reasonOf,
  sumOf,
  type TellDataProblem,
  timeOfCopy,
  withCopy,
  writeWhole,
} from './own-file.ts'

/** Where entries are added to: a file, or memory alone. */
export interface LineLog<Entry> {
  /**
   * Entries that were not read before, in the order in which they were written; other processes write, too. `isAnew`: they
   * are all that there is, as something was taken out or repaired.
   */
  readOn(): { entries: Entry[]; isAnew: boolean }
  /** @throws if nothing could be kept; then nothing has changed */
  append(entries: readonly Entry[]): void
  /** Nothing that was said of these keys is left. @throws if that could not be done */
  drop(keys: ReadonlySet<string>): void
}

interface LineLogOptions<Entry> {
  /** The data folder; made when there is something to keep. */
  folder: string
  /** `marks` of `marks.jsonl` */
  name: string
  entry: z.ZodType<Entry>
  /** By what an entry is dropped. */
  keysOf: (entry: Entry) => readonly string[]
  /** Another checksum than that of the JSON; then every line has one. */
  sum?: (entry: Entry) => string
  /** For messages: `Your stars, notes, tags and titles`. */
  what: string
  tell: TellDataProblem
  /** Nothing is repaired, and nothing is added. */
  isReadOnly?: boolean
}

/** For `--no-cache`: nothing outlives the run. */
export function createMemoryLog<Entry>(keysOf: (entry: Entry) => readonly string[]): LineLog<Entry> {
  let fresh: Entry[] = []
  return {
    readOn: () => ({ entries: fresh.splice(0), isAnew: false }),
    append: (entries) => {
      fresh = [...fresh, ...entries]
    },
    drop: (keys) => {
      fresh = fresh.filter((entry) => !keysOf(entry).some((key) => keys.has(key)))
    },
  }
}

/** Hundreds of thousands of entries; more is no file of ours. */
const MAX_LOG_BYTES = 256 * 1024 * 1024
const LINE_FEED = 0x0a

/**
 * `NAME.jsonl` of the data folder, for this user only: a head, and a line with a checksum for each entry. `NAME.jsonl.copy` holds
 * the same. Where the file is damaged or lacks lines, it is put aside, both are written anew from what is whole in either, and
 * that is told. Where something is dropped, both get another head, by which others know that what they read holds no more.
 */
export class LineLogFile<Entry> implements LineLog<Entry> {
  readonly #options: LineLogOptions<Entry>
  readonly #file: string
  readonly #hindrance: Hindrance
  /** How far it was read. `identity` null: it has to be looked at again; `head` empty: from its beginning. */
  #read: { identity: string | null; head: string; bytes: number } = { identity: null, head: '', bytes: 0 }
  #fresh: Entry[] = []
  #isAnew = false
  #isBegun = false
  /** An earlier version wrote some of it: the next change writes all of it anew. */
  #isOld = false
  #isUnrepaired = false

  constructor(options: LineLogOptions<Entry>) {
    this.#options = options
    this.#file = join(options.folder, `${options.name}.jsonl`)
    this.#hindrance = new Hindrance(this.#file, options.tell)
  }

  readOn(): { entries: Entry[]; isAnew: boolean } {
    this.#catchUp(false)
    const news = { entries: this.#fresh, isAnew: this.#isAnew }
    this.#fresh = []
    this.#isAnew = false
    return news
  }

  append(entries: readonly Entry[]): void {
    this.#change(() => {
      const found = this.#find(this.#file)
      if (found.kind === 'file' && !this.#isOld) this.#appendBoth(found.bytes, this.#toLines(entries))
      else writeWhole(withCopy(this.#file), this.#toText([...this.#parse(found).entries, ...entries]))
    })
  }

  drop(keys: ReadonlySet<string>): void {
    const { folder, keysOf } = this.#options
    if (!existsSync(folder) && !isAway(folder)) return
    this.#change(() => {
      const { entries } = this.#parse(this.#find(this.#file))
      const left = entries.filter((entry) => !keysOf(entry).some((key) => keys.has(key)))
      if (left.length < entries.length) writeWhole(withCopy(this.#file), this.#toText(left))
      for (const path of [this.#file, copyOf(this.#file)].flatMap(asidesOf)) this.#dropText(path, keys)
    })
  }

  /** While nobody else writes, and when all that was written is read. */
  #change(work: () => void): void {
    if (this.#options.isReadOnly) return
    alone(this.#options.folder, () => {
      this.#catchUp(true)
      this.#hindrance.expectNone()
      work()
    })
  }

  /** Takes what was added since. `isAlone`: nobody else writes, so that damage can be repaired. */
  #catchUp(isAlone: boolean): void {
    const identity = fileIdentity(this.#file)
    if (identity === this.#read.identity && !(isAlone && this.#isUnrepaired)) return
    const found = this.#find(this.#file)
    if (found.kind === 'unreadable') {
      this.#hindrance.setUnreadable(found, this.#options.what)
      if (!this.#isBegun) this.#take(null, found, this.#parse(this.#find(copyOf(this.#file))).entries)
      // nothing announces that it can be read again
      this.#read = { identity: null, head: '', bytes: 0 }
    } else if (!this.#takeAdded(identity, found)) this.#takeAll(identity, found, isAlone)
  }

  /** false: something else happened than that lines were added. */
  #takeAdded(identity: string, found: Found): boolean {
    const { head, bytes } = this.#read
    if (found.kind !== 'file' || head === '' || this.#isUnrepaired || found.bytes.length < bytes) return false
    if (!isEnded(found) || headOf(identity, found.bytes) !== head) return false
    const added = this.#parse({ kind: 'file', bytes: found.bytes.subarray(bytes) })
    if (added.damaged > 0 || added.isLater) return false
    this.#isOld ||= !added.isSealed
    this.#read = { identity, head, bytes: found.bytes.length }
    this.#fresh.push(...added.entries)
    return true
  }

  #takeAll(identity: string, found: Found, isAlone: boolean): void {
    const own = this.#parse(found)
    const copied = this.#find(copyOf(this.#file))
    const isSame = found.kind === 'file' && copied.kind === 'file' && found.bytes.equals(copied.bytes)
    const spare = isSame ? own : this.#parse(copied)
    this.#isUnrepaired = false
    if (own.isLater) {
      this.#hindrance.setLater()
      this.#take(identity, found, spare.isLater ? [] : spare.entries)
      return
    }
    const { entries, damage } = merge(found, own, spare)
    const mayRepair = damage !== null && this.#options.isReadOnly !== true
    if (mayRepair && !isAlone && this.#repairAlone()) return
    this.#hindrance.clear()
    this.#isOld = !own.isSealed || own.head === null || !isEnded(found)
    if (mayRepair && isAlone) this.#repair({ found, own, spare, entries, damage })
    else {
      this.#isUnrepaired = damage !== null
      if (damage !== null) this.#tellDamage({ own, spare, entries, damage }, '')
      this.#take(identity, found, entries)
    }
  }

  /** Somebody may have repaired it already. false: nothing can be written. */
  #repairAlone(): boolean {
    try {
      alone(this.#options.folder, () => this.#takeAll(fileIdentity(this.#file), this.#find(this.#file), true))
      return true
    } catch {
      return false
    }
  }

  #repair(merged: Merged<Entry> & { found: Found; damage: string }): void {
    const { found, spare, entries } = merged
    let aside = ''
    const time = timeOfCopy(this.#file)
    try {
      writeWhole(withCopy(this.#file), this.#toText(entries), () => {
        if (spare.damaged > 0) putAside(copyOf(this.#file))
        if (found.kind !== 'absent') aside = ` The damaged file is kept as ${putAside(this.#file)}.`
      })
      this.#isOld = false
      this.#tellDamage(merged, `, written ${time}`, aside)
      this.#take(fileIdentity(this.#file), this.#find(this.#file), entries)
    } catch (error) {
      this.#isUnrepaired = true
      this.#hindrance.set(
        `${this.#options.what}: ${this.#file} ${merged.damage} and cannot be repaired: ${reasonOf(error)}. What is whole is shown.`,
      )
      this.#take(fileIdentity(this.#file), found, entries)
    }
  }

  #tellDamage({ own, spare, entries, damage }: Merged<Entry>, time: string, aside = ''): void {
    const restored = Math.max(entries.length - own.entries.length, 0)
    const hasNoHead = own.head === null && spare.head !== null
    const lost = Math.max(own.damaged - restored - (hasNoHead ? 1 : 0), 0)
    const sentences = [
      `${this.#options.what}: ${this.#file} ${damage}`,
      restored > 0 ? `${formatPlural(restored, 'line')} restored from its copy${time}` : null,
      spare.head === null ? 'there is no copy' : null,
      spare.head === null && own.entries.length === 0 ? 'what it said is lost' : null,
      lost > 0 ? `${formatPlural(lost, 'line')} lost` : null,
      lost === 0 && own.damaged + restored > 0 ? 'nothing lost' : null,
    ]
    const told = sentences.filter((sentence) => sentence !== null).join('; ')
    this.#options.tell(`${told}.${aside}`, this.#file, 'data-damaged')
  }

  #take(identity: string | null, found: Found, entries: readonly Entry[]): void {
    this.#isAnew ||= this.#isBegun
    this.#isBegun = true
    this.#fresh = [...entries]
    const isKnown = identity !== null && found.kind === 'file' && isEnded(found)
    const [head, bytes] = isKnown ? [headOf(identity, found.bytes), found.bytes.length] : ['', 0]
    this.#read = { identity, head, bytes }
  }

  /** The copy becomes the same where it is not. Where one of them takes no more, neither does. */
  #appendBoth(before: Buffer, lines: string): void {
    const [first, second] = withCopy(this.#file)
    if (second !== undefined && first !== undefined) {
      const copied = this.#find(first)
      if (copied.kind !== 'file' || !copied.bytes.equals(before)) writeWhole([first], before)
    }
    // the file first: a copy that lacks what nobody was told is kept is no damage
    appendWhole(this.#file, lines)
    if (second === undefined) return
    try {
      appendWhole(copyOf(this.#file), lines)
    } catch (error) {
      truncateSync(this.#file, before.length)
      throw error
    }
  }

  /** Takes lines out of what was put aside, where a key may be anywhere. */
  #dropText(path: string, keys: ReadonlySet<string>): void {
    const found = this.#find(path)
    if (found.kind !== 'file') return
    const lines = found.bytes.toString('latin1').split('\n')
    const left = lines.filter((line) => ![...keys].some((key) => line.includes(JSON.stringify(key))))
    if (left.length < lines.length) writeWhole([path], Buffer.from(left.join('\n'), 'latin1'))
  }

  #find(path: string): Found {
    return readOwnFile(path, MAX_LOG_BYTES)
  }

  #parse(found: Found): Content<Entry> {
    const { name, entry: schema, sum: sumOfEntry } = this.#options
    const headSchema = z.looseObject({ [name]: z.literal('gemini-dash'), version: z.int() })
    const content: Content<Entry> = { entries: [], damaged: 0, head: null, isLater: false, isSealed: true }
    const text = found.kind === 'file' ? found.bytes.toString('utf8') : ''
    for (const line of text.split('\n')) {
      if (line.trim() === '') continue
      const value = parseJson(line)
      const { sum, ...rest } = z.looseObject({ sum: z.string().optional() }).safeParse(value).data ?? {}
      const head = headSchema.safeParse(rest).data
      const isLater = Number(head?.version ?? 0) > FORMAT_VERSION
      if (head !== undefined && (isLater || sum === undefined || sum === sumOf(rest))) {
        content.head = line
        content.isLater ||= isLater
        continue
      }
      const entry = schema.safeParse(rest).data
      const isSealed = sum !== undefined || sumOfEntry !== undefined
      if (entry !== undefined && (!isSealed || sum === (sumOfEntry?.(entry) ?? sumOf(rest)))) {
        content.entries.push(entry)
        content.isSealed &&= isSealed
      } else content.damaged += 1
    }
    return content
  }

  #toText(entries: readonly Entry[]): string {
    const head = { [this.#options.name]: 'gemini-dash', version: FORMAT_VERSION, written: randomUUID() }
    return `${JSON.stringify({ ...head, sum: sumOf(head) })}\n${this.#toLines(entries)}`
  }

  #toLines(entries: readonly Entry[]): string {
    const { sum: sumOfEntry } = this.#options
    const toLine = (entry: Entry) => ({ ...entry, sum: sumOfEntry?.(entry) ?? sumOf(entry) })
    return entries.map((entry) => `${JSON.stringify(toLine(entry))}\n`).join('')
  }
}

/** What the lines of a file say. */
interface Content<Entry> {
  entries: Entry[]
  /** Lines that are not as they were written. */
  damaged: number
  /** The line; null: there is none, as in files of some earlier versions. */
  head: string | null
  isLater: boolean
  /** Every line has a checksum. */
  isSealed: boolean
}

interface Merged<Entry> {
  own: Content<Entry>
  spare: Content<Entry>
  /** What is whole in either. */
  entries: Entry[]
  damage: string
}

/** `damage` null: the file is whole, and lacks nothing that its copy has. */
function merge<Entry>(
  found: Found,
  own: Content<Entry>,
  spare: Content<Entry>,
): { entries: Entry[]; damage: string | null } {
  // Another head: a version that knows no copies took something out since.
  const isOfBefore = own.head !== null && own.head !== spare.head
  const copied = isOfBefore || spare.isLater ? [] : spare.entries
  const ownTexts = new Set(own.entries.map((entry) => JSON.stringify(entry)))
  const lacking = copied.filter((entry) => !ownTexts.has(JSON.stringify(entry)))
  const damage = describeDamage(found, own, lacking.length)
  if (damage === null) return { entries: own.entries, damage }
  const copiedTexts = new Set(copied.map((entry) => JSON.stringify(entry)))
  const added = own.entries.filter((entry) => !copiedTexts.has(JSON.stringify(entry)))
  return { entries: [...copied, ...added], damage }
}

function describeDamage<Entry>(found: Found, own: Content<Entry>, lacking: number): string | null {
  if (found.kind === 'misplaced') return `was ${found.is}`
  if (found.kind === 'file' && found.bytes.length === 0) return 'was empty'
  if (own.damaged > 0) return 'was damaged'
  if (lacking === 0) return null
  return found.kind === 'absent' ? 'was missing' : 'lacked lines'
}

/** Its last line is not one that was cut, or that still is written. */
function isEnded(found: Found): boolean {
  return found.kind === 'file' && found.bytes.at(-1) === LINE_FEED
}

/** The number of the file and its first line: numbers alone are given again. */
function headOf(identity: string, bytes: Buffer): string {
  const [number] = identity.split(' ')
  return `${number} ${bytes.toString('latin1', 0, bytes.indexOf(LINE_FEED))}`
}

/** All of it, or nothing. */
function appendWhole(file: string, text: string): void {
  const descriptor = openSync(file, 'a', 0o600)
  try {
    const { size } = fstatSync(descriptor)
    const bytes = Buffer.from(text)
    try {
      let written = 0
      // where the disk takes a part, what is missing is tried again, which says that it is full
      while (written < bytes.length) written += writeSync(descriptor, bytes, written)
      fsyncSync(descriptor)
    } catch (error) {
      ftruncateSync(descriptor, size)
      throw error
    }
  } finally {
    closeSync(descriptor)
  }
}
