import { pricerOf } from '@gemini-dash/pricing'
import { type IndexGroup, readLooseGroup } from '@gemini-dash/session-index'
import {
  buildOutline,
  type Message,
  type Outline,
  type PriceCall,
  type Session,
  unreadFiles,
} from 'gemini-sessions'
import { type FilePart, GrowingSessionGroup, type PutAsideTexts, ReadFault } from 'gemini-sessions/node'
import { groupBytes } from '../sync/group-scan.ts'
import { type Written, write } from '../written-messages.ts'
import { type BeginningParts, MAKERS, makeBeginning } from './make-answers.ts'
import { ShownMessages } from './make-detail.ts'
import type { OpenedSession } from './opened-session.ts'
import type { ReaderAnswer, ReaderArgs, ReaderQuestion } from './reader-client.ts'
import { ChangedFileError, type SessionPlace } from './session-place.ts'

/** Up to 0.38 the CLI rewrites a session's file at every event. */
const MAX_ATTEMPTS = 3

/** Source of sessions: read from their files, or cached from the last reading. */
interface SessionStock {
  read(source: IndexGroup): Promise<ShelvedSessions>
  /** Whether it is cached, so that answering is cheap. */
  holds(source: IndexGroup): boolean
  /** Discards what was read, whatever the source's fingerprint is. */
  drop(source: IndexGroup): void
}

/** Answers every question that needs a session's content, using `MAKERS`. */
export class SessionAnswerer {
  readonly #source: SessionStock
  /** Sessions read in addition to the requested one: its sub-agents. */
  readonly #beside = new SessionCache()
  readonly #shown = new ShownMessages()
  readonly #outlines = new ShownOutlines()
  readonly #written = new WrittenAnswers()
  readonly #beginnings = new Beginnings()

  constructor(source: SessionStock = new SessionCache()) {
    this.#source = source
  }

  /** null: no such session, or it has nothing of the kind. */
  async answer<Q extends ReaderQuestion>(question: Q, args: ReaderArgs<Q>): Promise<ReaderAnswer<Q>> {
    // each maker takes the arguments of its question and returns the matching answer: see MAKERS
    if (question === 'beginning' && !this.#source.holds(args.source))
      return this.#beginnings.of(args) as ReaderAnswer<Q>
    const make = MAKERS[question] as (opened: OpenedSession, asked: unknown) => Promise<ReaderAnswer<Q>>
    return (await this.#open(args, (opened) => make(opened, args.asked))) as ReaderAnswer<Q>
  }

  /** null: no such session. If a file was rewritten during the answer, it is read and asked again. */
  async #open<T>(
    place: SessionPlace,
    answer: (opened: OpenedSession) => Promise<T>,
    from: SessionStock = this.#source,
  ): Promise<T | null> {
    for (let attempt = 1; ; attempt++) {
      const shelved = await from.read(place.source)
      const session = sessionAt(place, shelved)
      if (session === undefined) return null
      const messages = this.#shown.of(session, place.source.prices, place.subagents)
      const outline = (): Outline => this.#outlines.of(session, messages)
      const once = <Made>(name: string, make: () => Made) => this.#written.of(messages, name, make)
      const onceRead = <Made>(name: string, make: () => Promise<Made>) =>
        this.#written.later(messages, name, make)
      try {
        return await answer({
          place,
          session,
          shelved,
          messages,
          outline,
          price: priceBy(place.source),
          withOther: (other, read) => this.#open(other, read, this.#beside),
          once,
          onceRead,
        })
      } catch (error) {
        if (!(error instanceof ChangedFileError) || attempt === MAX_ATTEMPTS) throw error
        from.drop(place.source)
      }
    }
  }
}

/** The last beginning made: it is made while the request for it from the page is still on its way. */
class Beginnings {
  #last: { by: string; made: Written<BeginningParts> | null } | null = null

  of(place: SessionPlace): Written<BeginningParts> | null {
    const { id, fingerprint } = place.source
    const by = JSON.stringify([id, fingerprint, place.shownKey, place.subagents])
    if (this.#last?.by !== by) this.#last = { by, made: makeBeginning(place) }
    return this.#last.made && { json: this.#last.made.json }
  }
}

/** With the prices that the rows of the same files were computed with. */
function priceBy({ prices }: IndexGroup): PriceCall {
  return pricerOf(prices)
}

function sessionAt({ ownKey, isProvisional }: SessionPlace, { sessions }: ShelvedSessions) {
  return sessions.find(({ key }) => key === ownKey) ?? (isProvisional ? sessions[0] : undefined)
}

/** The outlines of open sessions: made once for all answers. */
class ShownOutlines {
  /** By the list of messages, which `ShownMessages` recreates after another reading and for other prices. */
  readonly #outlines = new WeakMap<readonly Message[], Outline>()

  of(session: Session, messages: Message[]): Outline {
    const known = this.#outlines.get(messages)
    if (known !== undefined) return known
    const outline = buildOutline({ ...session, messages })
    this.#outlines.set(messages, outline)
    return outline
  }
}

/** Answers about whole open sessions, which pages request repeatedly: computed and serialized once. */
class WrittenAnswers {
  /** By the list of messages, which `ShownMessages` recreates after another reading and for other prices. */
  readonly #answers = new WeakMap<readonly Message[], Map<string, Written<unknown>>>()

  of<Answer>(messages: readonly Message[], name: string, make: () => Answer): Written<Answer> {
    const answers = this.#answers.get(messages) ?? new Map<string, Written<unknown>>()
    this.#answers.set(messages, answers)
    const { json } = answers.get(name) ?? write(make())
    answers.set(name, { json })
    return { json }
  }

  async later<Answer>(
    messages: readonly Message[],
    name: string,
    make: () => Promise<Answer>,
  ): Promise<Written<Answer>> {
    const known = this.#answers.get(messages)?.get(name)
    if (known !== undefined) return { json: known.json }
    const made = await make()
    return this.of(messages, name, () => made)
  }
}

interface CachedFile {
  /** The path as in messages. */
  path: string
  texts: PutAsideTexts
}

/** The sessions of a source as last read. Their large texts may still be in the files. */
export class ShelvedSessions {
  readonly sessions: readonly Session[]
  readonly #files: readonly CachedFile[]

  constructor(sessions: readonly Session[], files: readonly CachedFile[]) {
    this.sessions = sessions
    this.#files = files
  }

  /** Approximate number of bytes that are not in memory. */
  get putAsideLength(): number {
    return this.#files.reduce((sum, { texts }) => sum + texts.length, 0)
  }

  /** @throws ChangedFileError */
  async restore(messages: readonly Message[]): Promise<Message[]> {
    let restored = [...messages]
    for (const { texts } of this.#files) restored = present(await texts.restore(restored))
    return restored
  }

  /**
   * The bytes of a message's record, or its position in the file if it is too large for memory. undefined: in no file, as with sessions
   * known from a prompt log.
   *
   * @throws ChangedFileError
   */
  async readRecord({ source }: Message): Promise<Uint8Array | FilePart | undefined> {
    const file = this.#files.find(({ path }) => path === source.file)
    return file === undefined ? undefined : present(await file.texts.readRecord(source))
  }
}

function present<T>(value: T | null): T {
  if (value === null) throw new ChangedFileError('A session file was rewritten while it was read.')
  return value
}

/** Sessions beyond this total are evicted; the one used last never is. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024

interface Kept {
  fingerprint: string
  shelved: ShelvedSessions
  /** Approximate. */
  heldBytes: number
}

/** The sessions that were read last, each from all of its files, ready for the next question. */
export class SessionCache {
  readonly #kept = new Map<string, Kept>()
  /** The last reading of each source that is under way. */
  readonly #underWay = new Map<string, Promise<ShelvedSessions>>()

  /** Concurrent questions share one reading. */
  async read(source: IndexGroup): Promise<ShelvedSessions> {
    const before = this.#underWay.get(source.id) ?? Promise.resolve()
    const reading = before.catch(() => {}).then(() => this.#readNow(source))
    this.#underWay.set(source.id, reading)
    try {
      return await reading
    } finally {
      if (this.#underWay.get(source.id) === reading) this.#underWay.delete(source.id)
    }
  }

  /** Whether its current state is cached. */
  holds({ id, fingerprint }: IndexGroup): boolean {
    return this.#kept.get(id)?.fingerprint === fingerprint
  }

  /** Discards what was read, whatever the source's fingerprint is. */
  drop({ id }: IndexGroup): void {
    this.#kept.delete(id)
  }

  async #readNow(source: IndexGroup): Promise<ShelvedSessions> {
    const known = this.#kept.get(source.id)
    const current = known?.fingerprint === source.fingerprint ? known : await readWhole(source)
    if (isRefused(source, current.shelved)) {
      // The previous reading has more; the next question tries again.
      return known?.shelved ?? current.shelved
    }
    // Inserted again: the map is ordered by last use.
    this.#kept.delete(source.id)
    this.#kept.set(source.id, current)
    this.#dropOldest()
    return current.shelved
  }

  #dropOldest(): void {
    let keptBytes = [...this.#kept.values()].reduce((sum, { heldBytes }) => sum + heldBytes, 0)
    for (const [id, { heldBytes }] of this.#kept) {
      if (keptBytes <= MAX_KEPT_BYTES || this.#kept.size === 1) return
      this.#kept.delete(id)
      keptBytes -= heldBytes
    }
  }
}

/** Large texts stay in the files until they are needed. */
async function readWhole(source: IndexGroup): Promise<Kept> {
  const { fingerprint, files, claims, loose } = source
  if (loose !== undefined) {
    const heldBytes = loose.kind === 'conversation' ? groupBytes(source) : 0
    return { fingerprint, shelved: await readLoose({ loose, claims }), heldBytes }
  }
  const reading = new GrowingSessionGroup({ putsTextsAside: true, isReadOnce: true })
  const shelved = new ShelvedSessions(await reading.read(files, claims), reading.putAside)
  return { fingerprint, shelved, heldBytes: groupBytes(source) - shelved.putAsideLength }
}

/** One of the files cannot be read at the moment, or is missing. */
function isRefused({ files, loose }: IndexGroup, shelved: ShelvedSessions): boolean {
  return shelved === NOTHING || unreadFiles(shelved.sessions, loose === undefined ? files : []).length > 0
}

/** For files that are not session files, if one of them could not be read. */
const NOTHING = new ShelvedSessions([], [])

async function readLoose(group: Parameters<typeof readLooseGroup>[0]): Promise<ShelvedSessions> {
  try {
    return new ShelvedSessions(await readLooseGroup(group), [])
  } catch (error) {
    if (error instanceof ReadFault) return NOTHING
    throw error
  }
}
