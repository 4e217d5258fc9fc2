import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { formatPlural } from '@gemini-dash/api/figures'
import { z } from 'zod'
import { alone, isAway, mayRead } from './data-folder.ts'
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
  type TellProblem,
  timeOf,
  type Unreadable,
  writeCopy,
  writeWhole,
} from './own-file.ts'

/** An append-only file. Other processes append to it, too. */
export interface LineLog<Entry> {
  /**
   * Entries not read before, in the order in which they were written. `isAnew`: these are all entries, since some were removed or the file
   * was repaired.
   */
  readOn(): { entries: Entry[]; isAnew: boolean }
  /** @throws if it could not be saved; then nothing has changed */
  append(entries: readonly Entry[]): void
  /** Removes every line that contains one of these keys, intact or damaged. @throws on failure */
  drop(keys: ReadonlySet<string>): void
}

interface LineLogOptions<Entry> extends LineFormat<Entry> {
  /** The data folder; created when there is something to store. */
  folder: string
  /** The keys by which an entry can be dropped. */
  keysOf: (entry: Entry) => readonly string[]
  /** For messages: `Your stars, notes, tags and titles`. */
  what: string
  tell: TellProblem
  /** Repairs nothing, and appends nothing. */
  isReadOnly?: boolean
}

/** How far a log was read. */
interface Position {
  /** Identity of the file at the last check; null: it must be checked again. */
  identity: string | null
  /** Its inode and first line: unchanged as long as lines are only appended. */
  head: string
  bytes: number
}

/** A head line is shorter. */
const LONGEST_HEAD_BYTES = 256
const LINE_FEED = 0x0a

/**
 * `NAME.jsonl` of the data folder, for this user only: a head, and a line with a checksum for each entry. `NAME.jsonl.copy` contains the
 * same lines. If lines in the file are damaged or missing, it is put aside, both files are rewritten from the intact lines of either, and
 * that is reported. A file of a later version is left alone.
 */
export class LogFile<Entry> implements LineLog<Entry> {
  readonly #options: LineLogOptions<Entry>
  readonly #file: string
  readonly #copy: string
  readonly #hindrance: Hindrance
  #position: Position = { identity: null, head: '', bytes: 0 }
  #fresh: Entry[] = []
  #isAnew = false
  /** Something was read from it, or from its copy. */
  #isBegun = false
  /** Written by an earlier version: the next change rewrites all of it. */
  #isOld = false
  /** It was damaged when last read, and could not be rewritten. */
  #isUnrepaired = false

  constructor(options: LineLogOptions<Entry>) {
    this.#options = options
    this.#file = join(options.folder, `${options.name}.jsonl`)
    this.#copy = copyOf(this.#file)
    this.#hindrance = new Hindrance(this.#file, options.tell)
  }

  readOn(): { entries: Entry[]; isAnew: boolean } {
    this.#catchUp(false)
    const read = { entries: this.#fresh, isAnew: this.#isAnew }
    this.#fresh = []
    this.#isAnew = false
    return read
  }

  append(entries: readonly Entry[]): void {
    this.#change(() => {
      const added = entries.map((entry) => toLine(entry, this.#options)).join('')
      if (isThere(this.#file) && !this.#isOld) appendBoth(this.#file, added)
      else this.#writeBoth(this.#toText(contentOf(readLog(this.#file), this.#options).entries) + added)
    })
  }

  drop(keys: ReadonlySet<string>): void {
    this.#change(() => {
      const { entries } = contentOf(readLog(this.#file), this.#options)
      const left = entries.filter((entry) => !this.#options.keysOf(entry).some((key) => keys.has(key)))
      if (left.length < entries.length) {
        const text = this.#toText(left)
        // the copy first: otherwise lines found only in the copy would be restored
        writeWhole(this.#copy, text)
        writeWhole(this.#file, text)
      }
      if (isThere(this.#options.folder))
        for (const path of [this.#file, this.#copy].flatMap(asidesOf)) dropText(path, keys)
    })
  }

  /** Runs `work` while nobody else writes, after reading everything written so far. */
  #change(work: () => void): void {
    const { folder, isReadOnly } = this.#options
    if (isReadOnly) return
    alone(folder, () => {
      this.#catchUp(true)
      this.#hindrance.expectNone()
      work()
    })
  }

  /** Reads what was appended since. `isAlone`: nobody else writes, so damage can be repaired. */
  #catchUp(isAlone: boolean): void {
    const { folder } = this.#options
    if (isAway(folder)) return
    const identity = fileIdentity(this.#file)
    const needsRepair = isAlone && (this.#hindrance.is || this.#isUnrepaired)
    if (identity === this.#position.identity && !needsRepair) return
    if (mayRead(folder) && !this.#takeAdded(identity, isAlone)) this.#takeAll(identity, isAlone)
  }

  /** false: the file has changed in another way than by appended lines. */
  #takeAdded(identity: string, isAlone: boolean): boolean {
    if (this.#position.head === '' || this.#hindrance.is || this.#isUnrepaired) return false
    const added = readAdded(this.#file, this.#position)
    if (added === null || (isAlone && added.isTorn)) return false
    const content = parseLines(added.text, this.#options)
    if (content.damaged > 0 || content.isLater) return false
    const bytes = this.#position.bytes + Buffer.byteLength(added.text)
    // the rest of a torn line may never be written
    this.#position = { ...this.#position, identity: added.isTorn ? null : identity, bytes }
    this.#isOld ||= content.hasUnsealed
    this.#fresh.push(...content.entries)
    return true
  }

  #takeAll(identity: string, isAlone: boolean): void {
    const { isReadOnly } = this.#options
    const found = readLog(this.#file)
    if (found.kind === 'unreadable') {
      this.#goOnWithout(found)
      return
    }
    const spareFound = readLog(this.#copy)
    const contents = readContents(found, spareFound, this.#options)
    const { own, spare, entries } = contents
    this.#isOld = own.hasUnsealed || !own.hasHead
    this.#isUnrepaired = false
    if (own.isLater) {
      this.#hindrance.setLater()
      this.#take(identity, found, spare.isLater ? [] : spare.entries)
      return
    }
    const isDamaged = describeLineDamage(contents) !== null
    const isCopyOther = spareFound.kind === 'file' && !spare.isLater && !areSame(found, spareFound)
    if (!isReadOnly && !isAlone && (isDamaged || isCopyOther) && this.#repairAlone()) return
    this.#hindrance.clear()
    if (isAlone && !isReadOnly && isDamaged) {
      this.#repair(contents)
      return
    }
    if (isAlone && !isReadOnly && isCopyOther) this.#repairCopy(contents)
    if (isDamaged) this.#tellDamage(contents, null)
    this.#isUnrepaired = isDamaged
    this.#take(identity, found, entries)
  }

  /** Another process may have repaired it already. false: nothing can be written. */
  #repairAlone(): boolean {
    try {
      alone(this.#options.folder, () => this.#takeAll(fileIdentity(this.#file), true))
      return true
    } catch {
      return false
    }
  }

  #repair(contents: Contents<Entry>): void {
    const { found, own, spare, entries } = contents
    const time = timeOf(this.#copy)
    let aside: string | null = null
    try {
      const text = this.#toText(entries)
      if (spare.damaged > 0) putAside(this.#copy)
      // the copy first: from then on it contains all intact lines, whatever happens
      if (!spare.isLater) writeWhole(this.#copy, text)
      if (found.kind === 'misplaced' || own.damaged > 0 || own.isTorn) aside = putAside(this.#file)
      this.#writeBoth(text)
      this.#tellDamage(contents, { aside, time })
    } catch (error) {
      const { what } = this.#options
      this.#hindrance.set(
        `${what} could not be read, and ${this.#file} cannot be repaired: ${reasonOf(error)}.`,
      )
    }
    this.#take(fileIdentity(this.#file), readLog(this.#file), entries)
  }

  /** A copy that lacks what a killed process had not written yet is not damaged. */
  #repairCopy({ found, spare }: Contents<Entry>): void {
    const { what, tell } = this.#options
    if (found.kind === 'file') writeCopy(this.#file, found.bytes)
    if (spare.damaged > 0)
      tell(
        `${what}: the copy of ${this.#file} was damaged and has been rewritten.`,
        this.#file,
        'data-damaged',
      )
  }

  #writeBoth(text: string): void {
    writeWhole(this.#file, text)
    writeCopy(this.#file, text)
    this.#isOld = false
  }

  #tellDamage(contents: Contents<Entry>, repaired: { aside: string | null; time: string } | null): void {
    const { own, spare, entries } = contents
    const restored = entries.length - own.entries.length
    const isHeadLost = !own.hasHead && spare.hasHead
    const lost = Math.max(own.damaged - restored - (isHeadLost ? 1 : 0), 0)
    const written = repaired === null ? '' : `, written ${repaired.time},`
    const sentences = [
      `${this.#options.what}: ${this.#file} ${describeLineDamage(contents)}.`,
      restored > 0 &&
        `${formatPlural(restored, 'entry', 'entries')} of its copy${written} ${restored === 1 ? 'is' : 'are'} used.`,
      spare.entries.length === 0 && 'It has no copy.',
      lost > 0 && `Lost: ${formatPlural(lost, 'damaged line')}.`,
      repaired?.aside != null && `The damaged file was saved as ${repaired.aside}.`,
    ]
    this.#options.tell(
      sentences.filter((sentence) => sentence !== false).join(' '),
      this.#file,
      'data-damaged',
    )
  }

  #take(identity: string | null, found: Found, entries: readonly Entry[]): void {
    this.#isAnew ||= this.#isBegun
    this.#isBegun = true
    this.#fresh = [...entries]
    const bytes = found.kind === 'file' ? found.bytes.lastIndexOf(LINE_FEED) + 1 : 0
    const head = found.kind === 'file' && bytes > 0 ? headOf(this.#file, found.bytes) : ''
    this.#position = { identity, bytes, head }
  }

  /** Keeps what was read before; at first that is the copy. */
  #goOnWithout(found: Unreadable): void {
    this.#hindrance.setUnreadable(found, this.#options.what)
    if (!this.#isBegun) this.#fresh = contentOf(readLog(this.#copy), this.#options).entries
    this.#isBegun = true
    // nothing signals when it becomes readable again
    this.#position = { identity: null, head: '', bytes: 0 }
  }

  #toText(entries: readonly Entry[]): string {
    const { name } = this.#options
    const head = { [name]: 'gemini-dash', version: FORMAT_VERSION, written: randomUUID() }
    return `${JSON.stringify({ ...head, sum: sumOf(head) })}\n${entries.map((entry) => toLine(entry, this.#options)).join('')}`
  }
}

function isThere(path: string): boolean {
  return fileIdentity(path) !== ''
}

/** What follows the part already read, up to the last complete line; null: another file, or a shorter one. */
function readAdded(file: string, { head, bytes }: Position): { text: string; isTorn: boolean } | null {
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    const start = Buffer.alloc(Math.min(LONGEST_HEAD_BYTES, size))
    readSync(descriptor, start, 0, start.length, 0)
    if (size < bytes || headOf(file, start) !== head) return null
    const added = Buffer.alloc(size - bytes)
    const length = readSync(descriptor, added, 0, added.length, bytes)
    const end = added.subarray(0, length).lastIndexOf(LINE_FEED) + 1
    return { text: added.toString('utf8', 0, end), isTorn: end < length }
  } finally {
    closeSync(descriptor)
  }
}

/** The first line is included because inode numbers are reused. */
function headOf(file: string, bytes: Buffer): string {
  const start = bytes.subarray(0, LONGEST_HEAD_BYTES)
  const end = start.indexOf(LINE_FEED)
  const { ino } = statSync(file)
  return `${ino} ${start.toString('latin1', 0, end === -1 ? start.length : end)}`
}

/** The file first: it is authoritative. If the copy differs, it is replaced. */
function appendBoth(file: string, text: string): void {
  const copy = copyOf(file)
  const sizeBefore = statSync(file).size
  appendWhole(file, text)
  try {
    if (statSync(copy, { throwIfNoEntry: false })?.size === sizeBefore) appendWhole(copy, text)
    else writeCopy(file, readFileSync(file))
  } catch {
    // The next append completes it.
  }
}

/** All of it, or nothing. */
function appendWhole(file: string, text: string): void {
  const descriptor = openSync(file, 'a', 0o600)
  try {
    const { size } = fstatSync(descriptor)
    try {
      const bytes = Buffer.from(text)
      let written = 0
      // after a partial write, writing the rest fails with the actual error, such as a full disk
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

/** Removes lines from a file that was put aside; such lines may contain a key anywhere. */
function dropText(path: string, keys: ReadonlySet<string>): void {
  const found = readLog(path)
  if (found.kind !== 'file') return
  const lines = found.bytes.toString('latin1').split('\n')
  const left = lines.filter((line) => ![...keys].some((key) => line.includes(JSON.stringify(key))))
  if (left.length < lines.length) writeWhole(path, Buffer.from(left.join('\n'), 'latin1'))
}

/** The format of a line, and how to verify it. */
interface LineFormat<Entry> {
  /** `marks`, of `marks.jsonl` */
  name: string
  entry: z.ZodType<Entry>
  /** A checksum other than that of its JSON; then every line has one. */
  sum?: (entry: Entry) => string
}

interface Content<Entry> {
  entries: Entry[]
  /** Number of lines that could not be parsed. */
  damaged: number
  /** It ends in the middle of a line. */
  isTorn: boolean
  hasHead: boolean
  isLater: boolean
  /** It has lines written by an earlier version. */
  hasUnsealed: boolean
}

const MAX_LOG_BYTES = 256 * 1024 * 1024

function readLog(path: string): Found {
  return readOwnFile(path, MAX_LOG_BYTES)
}

function contentOf<Entry>(found: Found, format: LineFormat<Entry>): Content<Entry> {
  return parseLines(found.kind === 'file' ? found.bytes.toString('utf8') : '', format)
}

function parseLines<Entry>(text: string, format: LineFormat<Entry>): Content<Entry> {
  const headSchema = z.looseObject({ [format.name]: z.literal('gemini-dash'), version: z.int() })
  const content: Content<Entry> = {
    entries: [],
    damaged: 0,
    isTorn: text !== '' && !text.endsWith('\n'),
    hasHead: false,
    isLater: false,
    hasUnsealed: false,
  }
  const lines = text.split('\n')
  for (const [place, line] of lines.entries()) {
    if (line.trim() === '') continue
    const value = parseJson(line)
    const opened = openEntry(value, format)
    if (opened !== null) {
      content.entries.push(opened.entry)
      content.hasUnsealed ||= !opened.isSealed
      continue
    }
    const { sum, ...head }: Record<string, unknown> = headSchema.safeParse(value).data ?? {}
    const isLater = Number(head.version) > FORMAT_VERSION
    if (head.version !== undefined && (isLater || sum === undefined || sum === sumOf(head))) {
      content.hasHead = true
      content.isLater ||= isLater
    } else if (!content.isTorn || place < lines.length - 1) content.damaged += 1
  }
  return content
}

/** null: it is not what was written. */
function openEntry<Entry>(
  value: unknown,
  { entry: schema, sum: sumOfEntry }: LineFormat<Entry>,
): { entry: Entry; isSealed: boolean } | null {
  if (typeof value !== 'object' || value === null) return null
  const { sum, ...rest }: { sum?: unknown } = value
  const entry = schema.safeParse(rest).data
  if (entry === undefined) return null
  if (sum === undefined && sumOfEntry === undefined) return { entry, isSealed: false }
  return sum === (sumOfEntry?.(entry) ?? sumOf(rest)) ? { entry, isSealed: true } : null
}

function toLine<Entry>(entry: Entry, { sum }: LineFormat<Entry>): string {
  return `${JSON.stringify({ ...entry, sum: sum?.(entry) ?? sumOf(entry) })}\n`
}

/** A file and its copy, as read. */
interface Contents<Entry> {
  found: Found
  own: Content<Entry>
  spare: Content<Entry>
  /** The intact entries of either. */
  entries: Entry[]
}

function readContents<Entry>(found: Found, spareFound: Found, format: LineFormat<Entry>): Contents<Entry> {
  const own = contentOf(found, format)
  const isSame = areSame(found, spareFound)
  const spare = isSame ? own : contentOf(spareFound, format)
  const entries = isSame || spare.isLater ? own.entries : merge(own.entries, spare.entries)
  return { found, own, spare, entries }
}

function areSame(one: Found, other: Found): boolean {
  return one.kind === 'file' && other.kind === 'file' && one.bytes.equals(other.bytes)
}

/**
 * The entries of both, in the order in which they were written: the two are equal, except for lines that are damaged or missing, or that
 * only one of them has at its end.
 */
function merge<Entry>(own: readonly Entry[], spare: readonly Entry[]): Entry[] {
  const places = new Map<string, number[]>()
  for (const [place, entry] of spare.entries()) {
    const text = JSON.stringify(entry)
    const known = places.get(text)
    if (known === undefined) places.set(text, [place])
    else known.push(place)
  }
  const merged: Entry[] = []
  let next = 0
  for (const entry of own) {
    const same = places.get(JSON.stringify(entry))?.find((place) => place >= next)
    if (same === undefined) merged.push(entry)
    else {
      merged.push(...spare.slice(next, same + 1))
      next = same + 1
    }
  }
  return [...merged, ...spare.slice(next)]
}

/** null: it is intact, and has everything that its copy has. */
function describeLineDamage<Entry>({ found, own, entries }: Contents<Entry>): string | null {
  if (found.kind === 'misplaced') return `is ${found.is}`
  if (found.kind === 'file' && found.bytes.length === 0) return 'was empty'
  if (own.damaged > 0) return 'was damaged'
  if (own.isTorn) return 'ended in the middle of a line'
  if (entries.length === own.entries.length) return null
  return found.kind === 'absent' ? 'was missing' : 'was missing lines'
}
