import type { BilledElsewhere, FileKeys, Session } from '../model/message.ts'
import { isConversationMessage, isDamagedSession } from './messages.ts'
import { sha256 } from './sha256.ts'

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
