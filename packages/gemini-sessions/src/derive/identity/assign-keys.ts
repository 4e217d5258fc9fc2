import type { BilledElsewhere, FileKeys, Session } from '../../model/session.ts'
import { isDamagedSession } from '../messages/is-damaged-session.ts'
import { isConversationMessage } from '../messages/message-kinds.ts'
import { placeKey } from './keys.ts'

/** What the other files of the homes, and earlier runs, say about the sessions of one group. Empty for almost every group. */
export interface GroupClaims {
  /** Keys that its files already have, by `placeOfFile`. */
  recorded?: Readonly<Record<string, FileKeys>>
  /** Keys of conversations elsewhere. */
  taken?: readonly string[]
  /**
   * Keys of conversations whose files are gone, with `conversationOrigin` of each: a session has such a key only if it is that
   * conversation, moved by hand.
   */
  orphaned?: Readonly<Record<string, string | null>>
  /** Requests of its sessions that other sessions count, by session key. */
  billed?: Readonly<Record<string, BilledElsewhere[]>>
}

/** How `GroupClaims.recorded` names a file. */
export function placeOfFile({ home, path }: { home: string; path: string }): string {
  return `${home}\n${path}`
}

/** Id of the first message that a person or the model made: copies and forks of a conversation share it. null: it has none. */
export function conversationOrigin({ messages }: Pick<Session, 'messages'>): string | null {
  return messages.find(isConversationMessage)?.id || null
}

/**
 * Decides the keys of the sessions of one group (contract rule 9). The key of each and those of its files are start keys so far. A key that
 * a file already has stays; of new sessions the first by path has the start key, damaged ones last, and each other one a key
 * that also hashes its path.
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
  /** Which session each key leads to. */
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

  /** So that each of its new files leads to it. */
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

  /** Two homes can have different conversations by the same path, and one path can have them one after the other. */
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
