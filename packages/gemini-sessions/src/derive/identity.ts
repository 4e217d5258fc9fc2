import type { BilledElsewhere, FileKeys, Session } from '../model/message.ts'
import { isConversationMessage, isDamagedSession } from './messages.ts'

/** What the other files of the Gemini folders, and earlier runs, contribute to the sessions of one group. Empty for almost every group. */
export interface GroupClaims {
  /** Existing keys of its files, by `placeOfFile`. */
  recorded?: Readonly<Record<string, FileKeys>>
  /** Keys of conversations elsewhere. */
  taken?: readonly string[]
  /**
   * Keys of conversations whose files are gone, with `conversationOrigin` of each: a session has such a key only if it is that
   * conversation, moved manually.
   */
  orphaned?: Readonly<Record<string, string | null>>
  /** Requests of its sessions that are counted for other sessions, by session key. */
  billed?: Readonly<Record<string, BilledElsewhere[]>>
}

/** The key of a file in `GroupClaims.recorded`. */
export function placeOfFile({ home, path }: { home: string; path: string }): string {
  return `${home}\n${path}`
}

/** Id of the first message by the user or the model, which copies and forks of a conversation share. null if none. */
export function conversationOrigin({ messages }: Pick<Session, 'messages'>): string | null {
  return messages.find(isConversationMessage)?.id || null
}

/**
 * Assigns the keys of the sessions of one group (contract rule 9). Their keys and those of their files are start keys so far. A key already
 * recorded for a file stays; of the new sessions, the first by path gets the start key, damaged ones last, and each other one a key that
 * also hashes its path.
 */
export function assignKeys(sessions: readonly Session[], claims: GroupClaims = {}): Session[] {
  const keys = new KeyAssignment(claims)
  const ordered = [...sessions].sort((a, b) => compareText(rankOf(a), rankOf(b)))
  const known = ordered.filter((each) => keys.takeRecorded(each))
  for (const each of known) keys.takeStarts(each)
  for (const each of ordered) if (!known.includes(each)) keys.takeNew(each)
  return sessions.map((each) => keys.apply(each))
}

class KeyAssignment {
  readonly #claims: GroupClaims
  readonly #taken: ReadonlySet<string>
  /** The session of each key. */
  readonly #owners = new Map<string, Session>()
  readonly #sessionKeys = new Map<Session, string>()

  constructor(claims: GroupClaims) {
    this.#claims = claims
    this.#taken = new Set(claims.taken)
  }

  /** false: none of its files has a key yet, or another session of the group has it. */
  takeRecorded(session: Session): boolean {
    const recorded = session.files.flatMap((file) => this.#recordedOf(file) ?? [])
    const wanted = [session.key, ...recorded.map((keys) => keys.session)]
    const known = new Set(recorded.map((keys) => keys.session))
    const key = wanted.find((each) => known.has(each) && !this.#owners.has(each))
    if (key === undefined) return false
    this.#owners.set(key, session)
    for (const { file, session: ofSession } of recorded)
      for (const each of [file, ofSession]) if (!this.#owners.has(each)) this.#owners.set(each, session)
    this.#sessionKeys.set(session, key)
    return true
  }

  takeNew(session: Session): void {
    const key = this.#isFree(session.key, session) ? session.key : this.#placeKey(session)
    this.#sessionKeys.set(session, key)
    this.#owners.set(key, session)
    this.takeStarts(session)
  }

  /** Makes the start keys of its new files lead to it. */
  takeStarts(session: Session): void {
    for (const [index, file] of session.files.entries()) {
      const start = session.fileKeys[index]?.start ?? session.key
      if (this.#recordedOf(file) === undefined && this.#isFree(start, session))
        this.#owners.set(start, session)
    }
  }

  apply(session: Session): Session {
    const key = this.#sessionKeys.get(session) ?? session.key
    const fileKeys = session.files.map((file, index): FileKeys => {
      const start = session.fileKeys[index]?.start ?? session.key
      const recorded = this.#recordedOf(file)?.file
      const isOwn = (each: string | undefined) => each !== undefined && this.#owners.get(each) === session
      const own = isOwn(recorded) ? recorded : isOwn(start) ? start : key
      return { start, file: own ?? key, session: key }
    })
    const alsoKnownAs = [...this.#owners].flatMap(([each, owner]) => (owner === session ? [each] : []))
    return { ...session, key, ownKeys: alsoKnownAs.sort(), fileKeys }
  }

  #recordedOf(file: { home: string; path: string }): FileKeys | undefined {
    return this.#claims.recorded?.[placeOfFile(file)]
  }

  #isFree(key: string, session: Session): boolean {
    const owner = this.#owners.get(key)
    if (this.#taken.has(key) || (owner !== undefined && owner !== session)) return false
    const orphan = this.#claims.orphaned?.[key]
    return orphan === undefined || (orphan !== null && orphan === conversationOrigin(session))
  }

  /** Two Gemini folders can have different conversations with the same path, and one path can have several over time. */
  #placeKey(session: Session): string {
    const { key, files } = session
    const [first = { home: '', path: '' }] = [...files].sort((a, b) =>
      compareText(`${a.path}\n${a.home}`, `${b.path}\n${b.home}`),
    )
    const ofConversation = `${placeOfFile(first)}\n${conversationOrigin(session)}`
    const candidates = [first.path, placeOfFile(first), ofConversation].map((place) => placeKey(key, place))
    return candidates.find((each) => this.#isFree(each, session)) ?? candidates.at(-1) ?? key
  }
}

function rankOf(session: Session): string {
  const [first = ''] = session.files.map(({ path, home }) => `${path}\n${home}`).sort()
  return `${isDamagedSession(session) ? 1 : 0}\n${first}`
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * The first 72 bits of a text's SHA-256 as 12 URL-safe characters (base64url). A leading `-` becomes `_`, since a command line would read
 * it as an option.
 */
export function shortKey(text: string): string {
  const digest = sha256(text)
  let key = ''
  for (let offset = 0; offset < 9; offset += 3) {
    const bits = ((digest[offset] ?? 0) << 16) | ((digest[offset + 1] ?? 0) << 8) | (digest[offset + 2] ?? 0)
    for (const shift of [18, 12, 6, 0]) key += ALPHABET[(bits >> shift) & 63]
  }
  return key.replace(/^-/, '_')
}

/**
 * A project's key: from the SHA-256 of its root in normalized form, or from the hash written by the CLI if no root is known; else from its
 * folder's name. The same in every Gemini folder.
 */
export function projectKey(projectHash: string | null, folderName: string): string {
  return shortKey(projectHash ?? folderName)
}

/**
 * A session's key: 12 URL-safe characters of a SHA-256. Depends on nothing that can change later.
 * `birth` is the earliest first-metadata `startTime` of its files exactly as stored, or the file name without extension if no file has one.
 */
export function sessionKey(sessionId: string, birth: string): string {
  return shortKey(`${sessionId}\n${birth}`)
}

/** The key of a session whose `sessionKey` belongs to another conversation. `place`: the path of its file relative to the Gemini folder. */
export function placeKey(key: string, place: string): string {
  return shortKey(`${key}\n${place}`)
}

/** SHA-256 of a text's UTF-8 bytes. Pure and synchronous, so that keys are the same in Node and in browsers. */
function sha256(text: string): Uint8Array {
  const blocks = padded(new TextEncoder().encode(text))
  const state = Uint32Array.from(INITIAL_STATE)
  const schedule = new Uint32Array(64)
  for (let offset = 0; offset < blocks.byteLength; offset += 64) compress(state, schedule, blocks, offset)
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, index) => {
    digest.setUint32(index * 4, word)
  })
  return new Uint8Array(digest.buffer)
}

/** The message, a 1 bit, zeros, and its length in bits as 64-bit big-endian, to a multiple of 64 bytes. */
function padded(bytes: Uint8Array): DataView {
  const sizeBytes = Math.ceil((bytes.length + 9) / 64) * 64
  const result = new Uint8Array(sizeBytes)
  result.set(bytes)
  result[bytes.length] = 0x80
  const view = new DataView(result.buffer)
  view.setUint32(sizeBytes - 8, Math.floor(bytes.length / 0x20000000))
  view.setUint32(sizeBytes - 4, (bytes.length * 8) >>> 0)
  return view
}

function compress(state: Uint32Array, schedule: Uint32Array, blocks: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) schedule[i] = blocks.getUint32(offset + i * 4)
  for (let i = 16; i < 64; i++) {
    const before15 = schedule[i - 15] ?? 0
    const before2 = schedule[i - 2] ?? 0
    const small0 = rotate(before15, 7) ^ rotate(before15, 18) ^ (before15 >>> 3)
    const small1 = rotate(before2, 17) ^ rotate(before2, 19) ^ (before2 >>> 10)
    schedule[i] = (schedule[i - 16] ?? 0) + small0 + (schedule[i - 7] ?? 0) + small1
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i++) {
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const choice = (e & f) ^ (~e & g)
    const first = (h + big1 + choice + (ROUND_CONSTANTS[i] ?? 0) + (schedule[i] ?? 0)) | 0
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + big0 + majority) | 0
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = (state[index] ?? 0) + word
  })
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

/** First 32 bits of the fractional parts of the square (cube) roots of the first primes: FIPS 180-4. */
const PRIMES = firstPrimes(64)
const INITIAL_STATE = PRIMES.slice(0, 8).map((prime) => fraction32(Math.sqrt(prime)))
const ROUND_CONSTANTS = Uint32Array.from(PRIMES, (prime) => fraction32(Math.cbrt(prime)))

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  }
  return primes
}

function fraction32(root: number): number {
  return Math.floor((root - Math.floor(root)) * 0x100000000)
}

/** SHA-256 of a text as 64 hex digits. */
export type HashText = (text: string) => string

/** How Gemini CLI names a project folder (up to 0.28) and fills `projectHash` (all versions). Also works in browsers. */
export const sha256Hex: HashText = (text) =>
  Array.from(sha256(text), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** A session file, with what determines its keys. */
export interface PlannedFile {
  home: string
  /** Relative to the Gemini folder. */
  path: string
  /** `groupFiles`: id of its group. */
  groupId: string
  /** Hash of its id and start, as far as in its first bytes. */
  start: string
  /** Both are in its first bytes. */
  isCertain: boolean
  /** Its `projectHash` is that of its folder's project. */
  isProven: boolean
}

/** Keys that earlier runs assigned to files. */
export interface KeyRecord {
  /** null: this file was never seen. */
  keysOf(file: { home: string; path: string }): FileKeys | null
  /** `conversationOrigin` of the conversation that has or had this key; undefined if none ever had it. */
  originOf(key: string): string | null | undefined
}

/** For a first run. */
export const NO_KEY_RECORD: KeyRecord = { keysOf: () => null, originOf: () => undefined }

/**
 * What each group has to know about its keys before it is read; leaves out groups that need nothing. A key stays with the files it was
 * recorded for. Of files without a record, those in the folder that their
 * `projectHash` proves come first, then by path: never in the order of discovery.
 */
export function planKeys(files: readonly PlannedFile[], record: KeyRecord): Map<string, GroupClaims> {
  const known = files.map((file) => toKnown(file, record)).sort(byRank)
  const holders = holdersOf(known)
  const starts = new Set(known.map(({ groupId, start }) => `${groupId}\n${start}`))
  const plan = new KeyPlan()
  const unrecorded = new Map<string, KnownFile[]>()
  for (const file of known) {
    const { groupId, start, recorded } = file
    if (recorded !== null && holders.get(recorded.session) === groupId) {
      if (!isDefault(file, starts, holders)) plan.needsRecorded(groupId)
      continue
    }
    if (recorded !== null) plan.take(groupId, recorded.session)
    unrecorded.set(start, [...(unrecorded.get(start) ?? []), file])
  }
  for (const [start, claimants] of unrecorded) {
    const owner = holders.get(start) ?? claimants[0]?.groupId
    const isHeld = holders.has(start)
    const origin = record.originOf(start)
    for (const { groupId, path } of claimants) {
      const ofPlace = placeKey(start, path)
      const earlier = record.originOf(ofPlace)
      if (earlier !== undefined) plan.orphan(groupId, ofPlace, earlier)
      if (groupId !== owner) plan.take(groupId, start)
      else if (isHeld) plan.needsRecorded(groupId)
      else if (origin !== undefined) plan.orphan(groupId, start, origin)
    }
  }
  return plan.finish(known)
}

interface KnownFile extends PlannedFile {
  /** null if the file at this path is not the recorded one. */
  recorded: FileKeys | null
}

function toKnown(file: PlannedFile, record: KeyRecord): KnownFile {
  const recorded = record.keysOf(file)
  const start = file.isCertain ? file.start : (recorded?.start ?? file.start)
  return { ...file, start, recorded: recorded?.start === start ? recorded : null }
}

/** The group of each recorded key. Files of one session may now belong to two projects: the first one has it. */
function holdersOf(files: readonly KnownFile[]): Map<string, string> {
  const holders = new Map<string, string>()
  for (const { recorded, groupId } of files) {
    for (const key of recorded === null ? [] : [recorded.session, recorded.file])
      if (!holders.has(key)) holders.set(key, groupId)
  }
  return holders
}

/** Its keys are the ones it would have without any record. */
function isDefault(
  { start, groupId, recorded }: KnownFile,
  starts: ReadonlySet<string>,
  holders: ReadonlyMap<string, string>,
): boolean {
  if (recorded === null || recorded.file !== start || holders.get(start) !== groupId) return false
  return recorded.session === start || starts.has(`${groupId}\n${recorded.session}`)
}

class KeyPlan {
  readonly #taken = new Map<string, Set<string>>()
  readonly #orphaned = new Map<string, Record<string, string | null>>()
  readonly #withRecorded = new Set<string>()

  take(groupId: string, key: string): void {
    this.#taken.set(groupId, (this.#taken.get(groupId) ?? new Set()).add(key))
  }

  orphan(groupId: string, key: string, origin: string | null): void {
    this.#orphaned.set(groupId, { ...this.#orphaned.get(groupId), [key]: origin })
  }

  needsRecorded(groupId: string): void {
    this.#withRecorded.add(groupId)
  }

  finish(files: readonly KnownFile[]): Map<string, GroupClaims> {
    const recorded = new Map<string, Record<string, FileKeys>>()
    for (const file of files) {
      if (file.recorded === null || !this.#withRecorded.has(file.groupId)) continue
      recorded.set(file.groupId, { ...recorded.get(file.groupId), [placeOfFile(file)]: file.recorded })
    }
    const ids = new Set([...this.#taken.keys(), ...this.#orphaned.keys(), ...recorded.keys()])
    return new Map(
      [...ids].map((id): [string, GroupClaims] => [
        id,
        {
          ...(recorded.has(id) && { recorded: recorded.get(id) }),
          ...(this.#taken.has(id) && { taken: [...(this.#taken.get(id) ?? [])].sort() }),
          ...(this.#orphaned.has(id) && { orphaned: this.#orphaned.get(id) }),
        },
      ]),
    )
  }
}

function byRank(a: PlannedFile, b: PlannedFile): number {
  const rank = ({ isProven, path, home }: PlannedFile) => `${isProven ? 0 : 1}\n${path}\n${home}`
  return rank(a) < rank(b) ? -1 : 1
}
