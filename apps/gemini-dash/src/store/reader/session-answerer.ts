import { priceCall } from '@gemini-dash/pricing'
import type { IndexGroup } from '@gemini-dash/session-index'
import type { Outline, PriceCall } from 'gemini-sessions'
import { buildOutline, type Message, type Session } from 'gemini-sessions'
import type { Written } from '../messages/written.ts'
import { write } from '../messages/written.ts'
import { type BeginningParts, makeBeginning } from './answers/make-beginning.ts'
import { makeDetail } from './answers/make-detail.ts'
import { MAKERS } from './answers/makers.ts'
import type { OpenedSession } from './answers/opened-session.ts'
import { ShownMessages } from './answers/shown-messages.ts'
import type { Preparation, ReaderAnswer, ReaderArgs, ReaderQuestion } from './lanes/reader-question.ts'
import { ChangedFileError } from './place/changed-file-error.ts'
import type { DetailParts, SessionPlace } from './place/session-place.ts'
import { SessionShelf } from './session-shelf.ts'
import type { DetailFolder } from './skeleton/detail-folder.ts'
import type { ShelvedSessions } from './skeleton/shelved-sessions.ts'
import type { SkeletonFolder } from './skeleton/skeleton-folder.ts'

/** By then the writing of the skeleton has begun. */
const KEEP_DETAIL_DELAY_MS = 3_000
/** Up to 0.38 the CLI rewrites a session's file at every event. */
const MAX_ATTEMPTS = 3

/** Answers everything that needs a session's content, from its files: `MAKERS` says how. */
export class SessionAnswerer {
  readonly #shelf: SessionShelf
  /** What is read beside the session that was asked for: its sub-agents. */
  readonly #shelfBeside = new SessionShelf()
  readonly #shown = new ShownMessages()
  readonly #outlines = new ShownOutlines()
  readonly #written = new WrittenAnswers()
  readonly #beginnings = new Beginnings()
  readonly #details: DetailFolder | null

  constructor(skeletons: SkeletonFolder | null = null, details: DetailFolder | null = null) {
    this.#shelf = new SessionShelf(skeletons)
    this.#details = details
  }

  /** null: there is no such session, or nothing of the kind in it. */
  async answer<Q extends ReaderQuestion>(question: Q, args: ReaderArgs<Q>): Promise<ReaderAnswer<Q>> {
    // each maker takes what its question is asked with, and makes what is answered: see MAKERS
    if (question === 'beginning' && !this.#shelf.holds(args.source))
      return this.#beginnings.of(args) as ReaderAnswer<Q>
    const kept = question === 'detail' ? await this.#keptDetail(args) : null
    if (kept !== null) return kept as ReaderAnswer<Q>
    const make = MAKERS[question] as (opened: OpenedSession, asked: unknown) => Promise<ReaderAnswer<Q>>
    const answer = (await this.#open(args, (opened) => make(opened, args.asked))) as ReaderAnswer<Q>
    if (question === 'detail' && answer !== null) this.#keepDetailLater(args, answer as Written<DetailParts>)
    return answer
  }

  /** Beside the skeleton, if one was written: else another thread would read it all once more for that. */
  #keepDetailLater(place: SessionPlace, detail: Written<DetailParts>): void {
    const details = this.#details
    if (details === null) return
    const keep = async () => {
      if (await this.#shelf.hasSkeleton(place.source)) await details.write(place, detail)
    }
    setTimeout(() => void keep(), KEEP_DETAIL_DELAY_MS).unref()
  }

  /** So that a later opening has less to read, and its page begins at once. */
  async prepare({ source, places }: Preparation): Promise<null> {
    await this.#shelf.prepare(source)
    for (const place of places) {
      if (this.#details === null || (await this.#details.holds(place))) continue
      const detail = await this.#open(place, async (opened) => makeDetail(opened))
      if (detail !== null) await this.#details.write(place, detail)
    }
    return null
  }

  async #keptDetail(place: SessionPlace): Promise<Written<DetailParts> | null> {
    const kept = this.#shelf.holds(place.source) ? null : await this.#details?.read(place)
    if (!kept) return null
    // who asks for this asks for messages next
    this.#open(place, async ({ messages }) => this.#written.keep(messages, 'detail', kept)).catch(() => {})
    return kept
  }

  /** null: there is no such session. Where a file was rewritten under the answer, it is read and asked again. */
  async #open<T>(
    place: SessionPlace,
    answer: (opened: OpenedSession) => Promise<T>,
    shelf = this.#shelf,
  ): Promise<T | null> {
    for (let attempt = 1; ; attempt++) {
      const shelved = await shelf.read(place.source)
      const session = sessionAt(place, shelved)
      if (session === undefined) return null
      const messages = this.#shown.of(session, place.source.prices, place.subagents)
      const outline = (): Outline => this.#outlines.of(session, messages)
      const once = <Made>(name: string, make: () => Made) => this.#written.of(messages, name, make)
      try {
        return await answer({
          place,
          session,
          shelved,
          messages,
          outline,
          price: priceBy(place.source),
          withOther: (other, read) => this.#open(other, read, this.#shelfBeside),
          once,
        })
      } catch (error) {
        if (!(error instanceof ChangedFileError) || attempt === MAX_ATTEMPTS) throw error
        shelf.drop(place.source)
        await this.#details?.remove(place)
      }
    }
  }
}

/** The beginning that was made last: it is made while the page that is going to ask for it is still on its way. */
class Beginnings {
  #last: { by: string; made: Written<BeginningParts> | null } | null = null

  of(place: SessionPlace): Written<BeginningParts> | null {
    const { id, fingerprint } = place.source
    const by = JSON.stringify([id, fingerprint, place.shownKey, place.subagents])
    if (this.#last?.by !== by) this.#last = { by, made: makeBeginning(place) }
    return this.#last.made && { json: this.#last.made.json }
  }
}

/** As the rows of the same files were priced. */
function priceBy({ prices }: IndexGroup): PriceCall {
  return (call) => priceCall(call, prices)
}

function sessionAt({ ownKey, isProvisional }: SessionPlace, { sessions }: ShelvedSessions) {
  return sessions.find(({ key }) => key === ownKey) ?? (isProvisional ? sessions[0] : undefined)
}

/** The outlines of open sessions: made once, however many answers are made of them. */
class ShownOutlines {
  /** By the list of messages, which `ShownMessages` makes anew for another reading and for other prices. */
  readonly #outlines = new WeakMap<readonly Message[], Outline>()

  of(session: Session, messages: Message[]): Outline {
    const known = this.#outlines.get(messages)
    if (known !== undefined) return known
    const outline = buildOutline({ ...session, messages })
    this.#outlines.set(messages, outline)
    return outline
  }
}

/** Answers about the whole of open sessions, which pages ask for again and again: made and written once. */
class WrittenAnswers {
  /** By the list of messages, which `ShownMessages` makes anew for another reading and for other prices. */
  readonly #answers = new WeakMap<readonly Message[], Map<string, Written<unknown>>>()

  of<Answer>(messages: readonly Message[], name: string, make: () => Answer): Written<Answer> {
    const { json } = this.#answers.get(messages)?.get(name) ?? this.keep(messages, name, write(make()))
    return { json }
  }

  /** The answer is known already. */
  keep<Answer>(messages: readonly Message[], name: string, written: Written<Answer>): Written<Answer> {
    const answers = this.#answers.get(messages) ?? new Map<string, Written<unknown>>()
    this.#answers.set(messages, answers)
    answers.set(name, written)
    return written
  }
}
