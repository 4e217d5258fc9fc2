import { closeSync, copyFileSync, existsSync, fdatasyncSync, fstatSync, fsyncSync, ftruncateSync, linkSync, lstatSync, mkdirSync, openSync, promises, readdirSync, readFileSync, readSync, renameSync, rmSync, statSync, writeSync } from "node:fs"
import { dirname, join } from 'node:path'
import { findMembers, hashOf, MEMBER_BYTES, type Member, pack, unpack, unpackBeginning } from './gzip-members.ts'
import { type Entry, IndexFile, type Kept, type Label, type Line, type Stamp, writeAll } from './index-file.ts'
import { lacksLines } from './lost-lines.ts'

/** As many small members are written again as one. */
export const MOST_SMALL_MEMBERS = 16
/** Packed at the same time, of one file. */
const MOST_IN_WORK = 3
const COMMIT_FILES = 128
const MOST_ATTEMPTS = 3
/** Names of our own in the archive's folder. */
const OWN_NAMES = new Set(['index.gz'])

export class LimitReached extends Error {}

export interface Source {
  path: string
  label: Label
  descriptor: number
  /** Lines are only ever appended to it. */
  isLog: boolean
}

/** What is wrong with a kept file. `wholeBytes`: so much of what was noted can still be read. */
export interface Damage {
  path: string
  what: 'missing' | 'cut' | 'damaged' | 'other content' | 'unknown bytes'
  wholeBytes: number
  notedBytes: number
}

/** Files of a home as gzip files by the same names. One process writes. */
export class Mirror {
  readonly folder: string
  readonly index: IndexFile
  damages: Damage[] = []
  readonly #maxBytes: number
  #pending: Line[] = []
  /** Folders in which something was named that is not synced yet. */
  #folders = new Set<string>()
  #byContent = new Map<string, Kept>()
  /** What was replaced, until that is noted. */
  readonly #spare: string[] = []
  #storedBytes = 0

  constructor(folder: string, maxBytes = Number.POSITIVE_INFINITY) {
    this.folder = folder
    this.index = new IndexFile(folder)
    this.#maxBytes = maxBytes
  }

  /** Learns what the disk holds, and proves what somebody else has written, or all of it. */
  open({ isWriter = true, provesAll = false } = {}): void {
    if (isWriter) mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    this.index.load()
    const there = new Map(listFiles(this.folder).map((path) => [path, lstatSync(join(this.folder, path), { bigint: true })]))
    for (const path of [...there.keys()].filter((path) => path.endsWith('.part'))) {
      if (isWriter) rmSync(join(this.folder, path))
      there.delete(path)
    }
    for (const entry of this.index.entries.values())
      for (const kept of [...entry.former, entry]) {
        const stats = there.get(`${kept.path}.gz`)
        there.delete(`${kept.path}.gz`)
        if (stats === undefined) this.#addDamage(kept, 'missing', 0)
        else if (provesAll || identityOf(stats) !== kept.identity) this.#prove(entry, kept)
        this.#storedBytes += sumOf(kept, 'storedBytes')
        this.#byContent.set(contentOf(kept.members), kept)
      }
    // current ones first: earlier contents belong to them
    const unknown = [...there.keys()].filter((path) => path.endsWith('.gz')).sort((a, b) => Number(isFormer(a)) - Number(isFormer(b)))
    for (const path of unknown) this.#adopt(path.slice(0, -3))
    if (this.index.damagedLines > 0 && isWriter) this.index.rewrite()
  }

  find(path: string): Entry | null {
    return this.index.entries.get(path) ?? null
  }

  isDamaged(path: string): boolean {
    return this.damages.some((damage) => damage.path === path)
  }

  get storedBytes(): number {
    return this.#storedBytes + this.index.storedBytes
  }

  /** What of it is whole, piece by piece; of what was cut also what is left of the last member. */
  *read(kept: Kept): Generator<Buffer> {
    let bytes: Buffer
    try {
      bytes = readFileSync(join(this.folder, `${kept.path}.gz`))
    } catch {
      return
    }
    yield* wholePieces(bytes, kept.members)
  }

  /** Takes a file as it is now. */
  async take(source: Source, at: string): Promise<'same' | 'taken' | 'changing'> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const stats = fstatSync(source.descriptor, { bigint: true })
      const before = stampOf(stats)
      // of a log that is being written whole lines are taken
      const end = attempt > 0 && source.isLog ? lastLineEnd(source.descriptor, before.sizeBytes) : before.sizeBytes
      const made = await this.#make(source, end, { ...before, sizeBytes: end }, at)
      const after = stampOf(fstatSync(source.descriptor, { bigint: true }))
      const isStill = isSameStamp(before, after) || (attempt > 0 && source.isLog && after.sizeBytes >= end)
      if (!isStill) {
        made.discard()
        continue
      }
      await made.publish()
      if (this.#pending.length >= COMMIT_FILES) this.commit()
      return 'isSame' in made ? 'same' : 'taken'
    }
    return 'changing'
  }

  /** What was missing when all of a home was looked at. */
  noteGone(path: string, at: string): void {
    const entry = this.find(path)
    if (entry !== null && entry.gone === null) this.#note({ entry: { ...entry, gone: at } })
  }

  /** What was taken until now is on disk when this returns. */
  commit(): void {
    for (const folder of this.#folders) syncFolder(folder)
    this.#folders.clear()
    if (this.#pending.length > 0) this.index.append(this.#pending)
    this.#pending = []
    for (const path of this.#spare.splice(0)) rmSync(path, { force: true })
  }

  /** Writes a file that has come to rest, or has many small members, again with members of full size. */
  async join(path: string): Promise<void> {
    const entry = this.find(path)
    const from = entry?.members.findIndex(({ rawBytes }) => rawBytes < MEMBER_BYTES) ?? -1
    if (entry === null || from === -1 || from >= entry.members.length - 1 || this.isDamaged(path)) return
    const file = join(this.folder, `${path}.gz`)
    const start = entry.members.slice(0, from).reduce((sum, { storedBytes }) => sum + storedBytes, 0)
    const small = wholePieces(readFileSync(file).subarray(start), entry.members.slice(from))
    const raw = Buffer.concat([...small])
    if (raw.length !== sumOf(entry, 'rawBytes') - entry.members.slice(0, from).reduce((sum, { rawBytes }) => sum + rawBytes, 0)) return
    copyFileSync(file, `${file}.part`)
    const descriptor = openSync(`${file}.part`, 'r+')
    let members: Member[]
    try {
      ftruncateSync(descriptor, start)
      members = [...entry.members.slice(0, from), ...(await appendMembers(descriptor, start, piecesOf(raw)))]
      fsyncSync(descriptor)
    } catch (error) {
      rmSync(`${file}.part`)
      throw error
    } finally {
      closeSync(descriptor)
    }
    renameSync(`${file}.part`, file)
    this.#folders.add(dirname(file))
    this.#storedBytes += sumOf({ members }, 'storedBytes') - sumOf(entry, 'storedBytes')
    this.#note({ entry: { ...entry, members, identity: identityAt(file) } })
  }

  async #make(source: Source, end: number, stamp: Stamp, at: string): Promise<Made> {
    const known = this.find(source.path)
    const rawBytes = known === null ? 0 : sumOf(known, 'rawBytes')
    const isWhole = known !== null && !this.isDamaged(source.path)
    const isGrowing = source.isLog && known?.stamp.inode === stamp.inode && end > rawBytes
    if (isWhole && known !== null && end >= rawBytes && beginsWith(source.descriptor, known, isGrowing)) {
      if (end === rawBytes) return this.#unchanged({ entry: { ...known, label: source.label, stamp, at, isAssumed: false, gone: null } })
      if (source.isLog) return this.#makeGrown(source, known, { start: rawBytes, end, stamp, at })
    }
    return this.#makeWhole(source, known, { end, stamp, at })
  }

  #unchanged(line: Line): Made {
    return { publish: async () => this.#note(line), discard: () => {}, isSame: true }
  }

  /** What came is one more member; should the file of the archive be one with another's, it becomes its own. */
  async #makeGrown({ path, descriptor }: Source, known: Entry, { start, end, stamp, at }: Range): Promise<Made> {
    const packed: { member: Member; stored: Buffer }[] = []
    for (const piece of piecesFrom(descriptor, start, end)) packed.push(await pack(piece))
    const file = join(this.folder, `${path}.gz`)
    const publish = async (): Promise<void> => {
      this.#expectRoom(packed.reduce((sum, { stored }) => sum + stored.length, 0))
      const noted = sumOf(known, 'storedBytes')
      if (statSync(file).nlink > 1) {
        copyFileSync(file, `${file}.part`)
        renameSync(`${file}.part`, file)
        this.#folders.add(dirname(file))
      }
      const archived = openSync(file, 'r+')
      try {
        ftruncateSync(archived, noted)
        await appendStored(archived, noted, packed.map(({ stored }) => stored))
        fdatasyncSync(archived)
      } catch (error) {
        ftruncateSync(archived, noted)
        throw error
      } finally {
        closeSync(archived)
      }
      const members = packed.map(({ member }) => member)
      this.#storedBytes += sumOf({ members }, 'storedBytes')
      const [only] = members
      const identity = identityAt(file)
      if (members.length === 1 && only !== undefined && known.gone === null) this.#note({ path, grown: [only, stamp, identity, at] })
      else this.#note({ entry: { ...known, members: [...known.members, ...members], stamp, identity, at, isAssumed: true, gone: null } })
    }
    return { publish, discard: () => {} }
  }

  async #makeWhole({ path, label, descriptor }: Source, known: Entry | null, { end, stamp, at }: Omit<Range, 'start'>): Promise<Made> {
    const file = join(this.folder, `${path}.gz`)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    this.#folders.add(dirname(file))
    const unfinished = `${file}.part`
    const archived = openSync(unfinished, 'w', 0o600)
    const discard = () => rmSync(unfinished, { force: true })
    let members: Member[]
    try {
      members = await appendMembers(archived, 0, piecesFrom(descriptor, 0, end))
      await promises.open(unfinished, 'r+').then(async (handle) => handle.sync().finally(() => handle.close()))
      this.#expectRoom(sumOf({ members }, 'storedBytes'))
    } catch (error) {
      discard()
      throw error
    } finally {
      closeSync(archived)
    }
    const publish = async (): Promise<void> => {
      const former = [...(known?.former ?? [])]
      const isLost = known !== null && existsSync(file) && (await this.#isLost(known, members, unfinished))
      let spare: string | null = null
      if (known !== null && existsSync(file)) {
        const kept: Kept = { path: nextName(known), members: known.members, identity: '', at: known.at }
        const beside = join(this.folder, `${kept.path}.gz`)
        // there at every moment, and by this name until the new one is noted
        rmSync(beside, { force: true })
        linkSync(file, beside)
        if (isLost) former.push(kept)
        else spare = beside
      }
      if (known !== null && !isLost) this.#storedBytes -= sumOf(known, 'storedBytes')
      this.#storedBytes += sumOf({ members }, 'storedBytes')
      const twin = this.#byContent.get(contentOf(members))
      const other = twin === undefined || twin.path === path ? undefined : join(this.folder, `${twin.path}.gz`)
      if (other !== undefined && end > 0 && existsSync(other) && readFileSync(other).equals(readFileSync(unfinished))) {
        rmSync(unfinished)
        linkSync(other, unfinished)
      }
      renameSync(unfinished, file)
      for (const kept of former) if (kept.identity === '') kept.identity = identityAt(join(this.folder, `${kept.path}.gz`))
      const entry: Entry = { path, label, stamp, members, identity: identityAt(file), at, isAssumed: false, gone: null, former }
      if (other !== undefined && twin !== undefined) this.#refreshIdentity(twin)
      this.#byContent.set(contentOf(members), entry)
      this.damages = this.damages.filter((damage) => damage.path !== path || former.length > (known?.former.length ?? 0))
      this.#note({ entry }, spare)
    }
    return { publish, discard }
  }

  /** Whether something of what is kept is not in what comes. Of what is damaged, what was noted tells whether all of it is there again. */
  async #isLost(known: Entry, members: readonly Member[], unfinished: string): Promise<boolean> {
    if (known.members.every(({ hash }, place) => members[place]?.hash === hash)) return false
    if (known.path.endsWith('.jsonl') || sumOf(known, 'rawBytes') > sumOf({ members }, 'rawBytes')) return true
    return lacksLines(this.read(known), wholePieces(readFileSync(unfinished), members))
  }

  #refreshIdentity(kept: Kept): void {
    const identity = identityAt(join(this.folder, `${kept.path}.gz`))
    for (const entry of this.index.entries.values()) {
      if (entry.path !== kept.path && !entry.former.some(({ path }) => path === kept.path)) continue
      const changed = { ...entry, former: entry.former.map((each) => (each.path === kept.path ? { ...each, identity } : each)) }
      this.#note({ entry: entry.path === kept.path ? { ...changed, identity } : changed })
    }
  }

  #expectRoom(bytes: number): void {
    if (this.storedBytes + bytes > this.#maxBytes) throw new LimitReached(`The archive holds as much as it may: ${this.#maxBytes} bytes.`)
  }

  /** Known at once; on disk with the next commit. */
  #note(line: Line, spare: string | null = null): void {
    this.#pending.push(line)
    if (spare !== null) this.#spare.push(spare)
    this.index.apply(line)
  }

  /** Somebody else wrote to it, or we were killed before it was noted. */
  #prove(entry: Entry, kept: Kept): void {
    const file = join(this.folder, `${kept.path}.gz`)
    const bytes = readFileSync(file)
    const noted = sumOf(kept, 'storedBytes')
    const isWhole = [...wholeMembers(bytes, kept.members)].every((member) => member !== null)
    const rest = isWhole && bytes.length > noted ? findMembers(bytes.subarray(noted)) : null
    const changed: Entry = { ...entry, former: [...entry.former] }
    const target = kept === entry ? changed : { ...kept }
    if (target !== changed) changed.former[entry.former.indexOf(kept)] = target
    target.identity = identityAt(file)
    if (rest !== null) {
      // a torn end was never noted; it goes with what is appended next
      target.members = [...kept.members, ...rest.members]
      this.#note({ entry: changed })
    } else if (isWhole) this.#note({ entry: changed })
    else {
      const found = findMembers(bytes)
      if (found.strayBytes === 0 && found.members.length > 0 && !isSubset(found.members, kept.members)) {
        // ours, if we were killed before it was noted: it begins with all that was there, or that is beside it still
        const isOurs = holdsAll(bytes, found, kept.members) || (kept === entry && this.#hasBeside(entry))
        if (!isOurs) this.#addDamage(kept, 'other content', sumOf(found, 'rawBytes'))
        target.members = found.members
        if (target === changed) changed.stamp = NO_STAMP
        this.#note({ entry: changed })
      } else {
        const whole = [...wholePieces(bytes, kept.members)].reduce((sum, piece) => sum + piece.length, 0)
        this.#addDamage(kept, bytes.length < noted ? 'cut' : 'damaged', whole)
      }
    }
  }

  #hasBeside(entry: Entry): boolean {
    const beside = join(this.folder, `${nextName(entry)}.gz`)
    return existsSync(beside) && [...wholeMembers(readFileSync(beside), entry.members)].every((member) => member !== null)
  }

  /** No line tells of it: the index was lost, or we were killed before it was noted. */
  #adopt(path: string): void {
    const file = join(this.folder, `${path}.gz`)
    const { members, strayBytes } = findMembers(readFileSync(file))
    const kept: Kept = { path, members, identity: identityAt(file), at: statSync(file).mtime.toISOString() }
    if (strayBytes > 0) this.#addDamage(kept, 'unknown bytes', sumOf(kept, 'rawBytes'))
    const owner = this.index.entries.get(path.replace(/\.kept-\d+$/, ''))
    if (owner !== undefined && isFormer(path)) {
      if (contentOf(owner.members) === contentOf(members)) this.#spare.push(file)
      else this.#note({ entry: { ...owner, former: [...owner.former, kept] } })
    } else this.#note({ entry: { ...kept, label: {}, stamp: NO_STAMP, isAssumed: false, gone: null, former: [] } })
  }

  #addDamage(kept: Kept, what: Damage['what'], wholeBytes: number): void {
    this.damages.push({ path: kept.path, what, wholeBytes, notedBytes: sumOf(kept, 'rawBytes') })
  }
}

interface Range {
  start: number
  end: number
  stamp: Stamp
  at: string
}

/** Ready to be named and noted, unless the file changed under the reading. */
interface Made {
  publish: () => Promise<void>
  discard: () => void
  isSame?: true
}

const NO_STAMP: Stamp = { sizeBytes: -1, mtimeNs: '', ctimeNs: '', inode: '' }

function* wholeMembers(bytes: Buffer, members: readonly Member[]): Generator<Buffer | null> {
  let at = 0
  for (const member of members) {
    yield unpack(bytes.subarray(at, at + member.storedBytes), member)
    at += member.storedBytes
  }
}

function* wholePieces(bytes: Buffer, members: readonly Member[]): Generator<Buffer> {
  let at = 0
  for (const member of members) {
    const end = at + member.storedBytes
    const piece = unpack(bytes.subarray(at, end), member)
    if (piece !== null) yield piece
    else if (end > bytes.length && at < bytes.length) yield unpackBeginning(bytes.subarray(at))
    at = end
  }
}

/** Reads on while others are packed; in order. @throws where the file ends before `end` */
async function appendMembers(descriptor: number, start: number, pieces: Iterable<Buffer>): Promise<Member[]> {
  const members: Member[] = []
  const inWork: Promise<{ member: Member; stored: Buffer }>[] = []
  let at = start
  const writeFirst = async () => {
    const packed = await inWork.shift()
    if (packed === undefined) return
    at = await appendStored(descriptor, at, [packed.stored])
    members.push(packed.member)
  }
  for (const piece of pieces) {
    inWork.push(pack(piece))
    if (inWork.length >= MOST_IN_WORK) await writeFirst()
  }
  while (inWork.length > 0) await writeFirst()
  // an empty file is a gzip file, too
  if (members.length === 0) {
    const packed = await pack(Buffer.alloc(0))
    await appendStored(descriptor, start, [packed.stored])
    members.push(packed.member)
  }
  return members
}

async function appendStored(descriptor: number, start: number, parts: readonly Buffer[]): Promise<number> {
  let at = start

  for (const part of parts) for (let from = 0; from < part.length; ) {
    const written = writeSync(descriptor, part, from, part.length - from, at)
    from += written
    at += written
  }
  return at
}

function* piecesOf(raw: Buffer): Generator<Buffer> {
  for (let at = 0; at < raw.length; at += MEMBER_BYTES) yield raw.subarray(at, at + MEMBER_BYTES)
}

function* piecesFrom(descriptor: number, start: number, end: number): Generator<Buffer> {
  for (let at = start; at < end; at += MEMBER_BYTES) yield readAt(descriptor, at, Math.min(MEMBER_BYTES, end - at))
}

function readAt(descriptor: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  for (let done = 0; done < length; ) {
    const read = readSync(descriptor, bytes, done, length - done, at + done)
    if (read === 0) return bytes.subarray(0, done)
    done += read
  }
  return bytes
}

/** Whether the file still begins with all that is kept of it; of a log that is growing the first and last members tell. */
function beginsWith(descriptor: number, { members }: Kept, onlyEnds: boolean): boolean {
  let at = 0
  return members.every(({ rawBytes, hash }, place) => {
    const start = at
    at += rawBytes
    const isAsked = !onlyEnds || place === 0 || place >= members.length - 2
    return !isAsked || hashOf(readAt(descriptor, start, rawBytes)) === hash
  })
}

/** Written again with other members, and perhaps more. */
function holdsAll(bytes: Buffer, found: { members: Member[] }, noted: readonly Member[]): boolean {
  const raw = Buffer.concat([...wholePieces(bytes, found.members)])
  let at = 0
  return noted.every(({ rawBytes, hash }) => {
    at += rawBytes
    return hashOf(raw.subarray(at - rawBytes, at)) === hash
  })
}

function lastLineEnd(descriptor: number, size: number): number {
  for (let end = size; end > 0; end -= MEMBER_BYTES) {
    const from = Math.max(0, end - MEMBER_BYTES)
    const place = readAt(descriptor, from, end - from).lastIndexOf(0x0a)
    if (place !== -1) return from + place + 1
  }
  return 0
}

function stampOf({ size, mtimeNs, ctimeNs, ino }: { size: bigint; mtimeNs: bigint; ctimeNs: bigint; ino: bigint }): Stamp {
  return { sizeBytes: Number(size), mtimeNs: String(mtimeNs), ctimeNs: String(ctimeNs), inode: String(ino) }
}

export function isSameStamp(one: Stamp, other: Stamp): boolean {
  return one.sizeBytes === other.sizeBytes && one.mtimeNs === other.mtimeNs && one.ctimeNs === other.ctimeNs && one.inode === other.inode
}

function identityOf({ size, ctimeNs, ino }: { size: bigint; ctimeNs: bigint; ino: bigint }): string {
  return `${size} ${ino.toString(36)} ${ctimeNs.toString(36)}`
}

function identityAt(path: string): string {
  return identityOf(statSync(path, { bigint: true }))
}

export function sumOf({ members }: { members: readonly Member[] }, of: 'storedBytes' | 'rawBytes'): number {
  return members.reduce((sum, member) => sum + member[of], 0)
}

function contentOf(members: readonly Member[]): string {
  return members.map(({ hash }) => hash).join()
}

function isSubset(some: readonly Member[], all: readonly Member[]): boolean {
  const known = new Set(all.map(({ hash }) => hash))
  return some.every(({ hash }) => known.has(hash))
}

function isFormer(path: string): boolean {
  return /\.kept-\d+(\.gz)?$/.test(path)
}

function nextName({ path, former }: Entry): string {
  const last = Math.max(0, ...former.map((kept) => Number(/\d+$/.exec(kept.path)?.[0] ?? 0)))
  return `${path}.kept-${last + 1}`
}

function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Relative to the folder; links are followed nowhere. */
function listFiles(folder: string, below = ''): string[] {
  if (!existsSync(join(folder, below))) return []
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) return listFiles(folder, path)
    return entry.isFile() && !OWN_NAMES.has(path) ? [path] : []
  })
}
