import { costFigures, explainCost, priceCall, reportCost, weighCalls, whatIf } from '@gemini-dash/pricing'
import type { IndexGroup } from '@gemini-dash/session-index'
import {
  buildTimeline,
  ContextXrayBuilder,
  linkTodoLists,
  listReasoning,
  type Message,
  type Outline,
  type Part,
  type PriceCall,
  type Session,
  spentMessages,
  WasteFinder,
} from 'gemini-sessions'
import { listNeighbours, readNeighbours } from 'gemini-sessions/node'
import { columnCalls } from '../messages/column-calls.ts'
import { cutForWire } from '../messages/cut-for-wire.ts'
import { findActivity } from '../messages/find-activity.ts'
import { findBurial } from '../messages/find-burial.ts'
import { findSideBranches } from '../messages/find-side-branches.ts'
import { mapSession } from '../messages/map-session.ts'
import { messagePage } from '../messages/message-page.ts'
import { rawRecord, recordInFile } from '../messages/raw-record.ts'
import { sessionFigures } from '../messages/session-figures.ts'
import { unfoldedKeys } from '../messages/unfolded-keys.ts'
import { write } from '../messages/written.ts'
import { writeTranscript } from '../transcript/write-transcript.ts'
import { feedMessages } from './answers/feed-messages.ts'
import { findInMessages } from './answers/find-in-messages.ts'
import { listTouches } from './answers/list-touches.ts'
import { measurePictures } from './answers/measure-pictures.ts'
import { ShownMessages } from './answers/shown-messages.ts'
import { ShownOutlines } from './answers/shown-outlines.ts'
import { tokenRecords } from './answers/token-records.ts'
import { touchingMessages } from './answers/touching-messages.ts'
import { WrittenAnswers } from './answers/written-answers.ts'
import type {
  PartContent,
  Reader,
  ReaderAnswers,
  ReaderQuestion,
  SessionPlace,
} from './lanes/reader-question.ts'
import { SessionShelf } from './session-shelf.ts'
import type { DetailFolder } from './skeleton/detail-folder.ts'
import { ChangedFileError, type ShelvedSessions } from './skeleton/shelved-sessions.ts'
import type { SkeletonFolder } from './skeleton/skeleton-folder.ts'

type Answer<Q extends ReaderQuestion> = Promise<ReaderAnswers[Q]['answer']>
type Args<Q extends ReaderQuestion> = ReaderAnswers[Q]['args']

/** Up to 0.38 the CLI rewrites a session's file at every event. */
const MAX_ATTEMPTS = 3

/** A session that is open, for one answer. */
interface OpenedSession {
  session: Session
  shelved: ShelvedSessions
  /** As they are shown, but for their large texts. */
  messages: Message[]
  outline: () => Outline
  price: PriceCall
}

/** Answers everything that needs a session's content, from its files. */
export class SessionReader implements Reader {
  readonly #shelf: SessionShelf
  readonly #shown = new ShownMessages()
  readonly #outlines = new ShownOutlines()
  readonly #written = new WrittenAnswers()
  readonly #details: DetailFolder | null

  constructor(skeletons: SkeletonFolder | null = null, details: DetailFolder | null = null) {
    this.#shelf = new SessionShelf(skeletons)
    this.#details = details
  }

  async detail(place: Args<'detail'>): Answer<'detail'> {
    const kept = this.#shelf.holds(place.source) ? null : await this.#details?.read(place)
    if (!kept) return this.#makeDetail(place)
    // who asks for this asks for messages next
    this.#open(place, async ({ messages }) => this.#written.keep(messages, 'detail', kept)).catch(() => {})
    return kept
  }

  #makeDetail(place: SessionPlace): Answer<'detail'> {
    return this.#open(place, async ({ session, messages, outline }) =>
      this.#written.of(messages, 'detail', () => {
        const { turns, compressions } = outline()
        const calls = weighCalls(spentMessages(session), place.source.prices)
        const { segments, drawnKeys, resumedKeys } = session
        return {
          segments,
          messageTotal: messages.length,
          outline: turns,
          compressions,
          drawnKeys,
          resumedKeys,
          buriedBy: findBurial(session),
          branches: findSideBranches(messages, { turns, compressions, unfolded: unfoldedKeys(session) }),
          activity: findActivity(messages),
          figures: sessionFigures(messages, costFigures(calls)),
        }
      }),
    )
  }

  page({ query, ...place }: Args<'page'>): Answer<'page'> {
    return this.#open(place, async ({ session, messages, shelved }) => {
      const page = messagePage({ ...session, messages }, query, place.isLive)
      const whole = linkTodoLists(messages, await shelved.restore(page.messages))
      return { ...page, messages: whole.map((message) => cutForWire(message, place.shownKey)) }
    })
  }

  map(place: Args<'map'>): Answer<'map'> {
    return this.#open(place, async ({ messages, session }) =>
      this.#written.of(messages, place.isLive ? 'live map' : 'map', () => mapSession(session, place.isLive)),
    )
  }

  calls(place: Args<'calls'>): Answer<'calls'> {
    return this.#open(place, async ({ messages, outline }) =>
      this.#written.of(messages, 'calls', () => columnCalls(outline().calls, place.source.prices)),
    )
  }

  transcript({ query, ...place }: Args<'transcript'>): Answer<'transcript'> {
    return this.#open(place, ({ session, messages, shelved }) =>
      writeTranscript({ ...session, messages }, { ...query, isLive: place.isLive }, (batch) =>
        shelved.restore(batch),
      ),
    )
  }

  messages(place: Args<'messages'>): Answer<'messages'> {
    return this.#open(place, ({ messages, shelved }) => shelved.restore(messages))
  }

  raw({ messageKey, ...place }: Args<'raw'>): Answer<'raw'> {
    return this.#open(place, async ({ messages, shelved }) => {
      const message = messages.find(({ key }) => key === messageKey)
      if (message === undefined) return null
      const bytes = await shelved.readRecord(message)
      // A session known only from a prompt log or a saved chat has no record of its own there.
      if (bytes === undefined)
        return write({ file: message.source.file, line: null, index: null, record: message })
      return 'absolutePath' in bytes ? recordInFile(message, bytes) : rawRecord(message, bytes)
    })
  }

  cost({ messageKey, ...place }: Args<'cost'>): Answer<'cost'> {
    return this.#open(place, async ({ session }) => {
      const message = session.messages.find(({ key }) => key === messageKey)
      if (message === undefined) return null
      const { usage, timestamp, superseded } = message
      const records = await tokenRecords(session, message)
      return { ...explainCost(message, place.source.prices), usage, timestamp, superseded, records }
    })
  }

  costReport({ turn: wanted, ...place }: Args<'costReport'>): Answer<'costReport'> {
    return this.#open(place, async ({ session, outline }) => {
      const prices = place.source.prices
      if (wanted === undefined) return reportCost(spentMessages(session), prices)
      const turn = outline().turns.find(({ number }) => number === wanted)
      if (turn === undefined) return null
      const { firstOffset, messageCount } = turn
      return reportCost(session.messages.slice(firstOffset, firstOffset + messageCount), prices, firstOffset)
    })
  }

  output({ callId, of, ...place }: Args<'output'>): Answer<'output'> {
    return this.#open(place, async ({ messages, shelved }) => {
      const isAsked = ({ id }: { id: string }) => id === callId
      const holding = messages.filter(({ toolCalls }) => toolCalls.some(isAsked)).slice(0, 1)
      const [message] = await shelved.restore(holding)
      const call = message?.toolCalls.find(isAsked)
      if (call === undefined) return null
      if (of === 'display') return call.display
      const extra = /^extra-(\d+)$/.exec(of)?.[1]
      return extra === undefined ? call.output : (call.extraParts[Number(extra)] ?? null)
    })
  }

  part({ messageKey, index, ...place }: Args<'part'>): Answer<'part'> {
    return this.#open(place, async ({ messages, shelved }) => {
      const [message] = await shelved.restore(messages.filter(({ key }) => key === messageKey))
      const part = message?.content[index]
      return part === undefined ? null : partContent(part)
    })
  }

  find({ mode, tree, pattern, ...place }: Args<'find'>): Answer<'find'> {
    return this.#open(place, ({ session, shelved }) =>
      findInMessages(place.shownKey, session, { mode, tree, pattern, isLive: place.isLive }, (batch) =>
        shelved.restore(batch),
      ),
    )
  }

  reasoning(place: Args<'reasoning'>): Answer<'reasoning'> {
    return this.#open(place, async ({ messages }) => listReasoning(messages))
  }

  context(place: Args<'context'>): Answer<'context'> {
    return this.#open(place, async ({ session, shelved, price }) => {
      const builder = new ContextXrayBuilder(session)
      await feedMessages(
        session.messages,
        (batch) => shelved.restore(batch),
        (batch) => builder.add(batch),
      )
      return builder.finish(price)
    })
  }

  timeline({ window, maxSteps, ...place }: Args<'timeline'>): Answer<'timeline'> {
    return this.#open(place, async ({ messages, outline }) =>
      buildTimeline(messages, outline().turns, {
        sessionKey: place.shownKey,
        window,
        maxSteps,
      }),
    )
  }

  files(place: Args<'files'>): Answer<'files'> {
    return this.#open(place, async ({ messages, shelved }) =>
      (await listTouches(messages, place, (batch) => shelved.restore(batch))).files(),
    )
  }

  fileChange({ path, ...place }: Args<'fileChange'>): Answer<'fileChange'> {
    return this.#open(place, async ({ messages, shelved }) =>
      (await listTouches(messages, place, (batch) => shelved.restore(batch), path)).change(),
    )
  }

  fileCalls({ path, messageKeys, ...place }: Args<'fileCalls'>): Answer<'fileCalls'> {
    return this.#open(place, ({ messages, shelved }) =>
      touchingMessages(messages, { ...place, path, messageKeys }, (batch) => shelved.restore(batch)),
    )
  }

  waste(place: Args<'waste'>): Answer<'waste'> {
    return this.#open(place, async ({ session, shelved, price }) => {
      const finder = new WasteFinder(session)
      await feedMessages(
        session.messages,
        (batch) => shelved.restore(batch),
        (batch) => finder.add(batch),
      )
      return finder.finish(price)
    })
  }

  whatIf(place: Args<'whatIf'>): Answer<'whatIf'> {
    return this.#open(place, async ({ session }) => whatIf(spentMessages(session), place.source.prices))
  }

  beside({ folders, ...place }: Args<'beside'>): Answer<'beside'> {
    return this.#open(place, async ({ session, shelved }) => {
      const neighbours = readNeighbours(folders, session, shelved.sessions)
      if (neighbours.images.length === 0) return neighbours
      const { byId } = listNeighbours(folders, session)
      return { ...neighbours, images: measurePictures(neighbours.images, byId) }
    })
  }

  besideFile({ folders, fileId, ...place }: Args<'besideFile'>): Answer<'besideFile'> {
    return this.#open(place, async ({ session }) => listNeighbours(folders, session).byId.get(fileId) ?? null)
  }

  /** So that a later opening has less to read, and its page begins at once. */
  async prepare({ source, places }: Args<'prepare'>): Answer<'prepare'> {
    await this.#shelf.prepare(source)
    for (const place of places) {
      if (this.#details === null || (await this.#details.holds(place))) continue
      const detail = await this.#makeDetail(place)
      if (detail !== null) await this.#details.write(place, detail)
    }
    return null
  }

  /** null: there is no such session. Where a file was rewritten under the answer, it is read and asked again. */
  async #open<T>(place: SessionPlace, answer: (opened: OpenedSession) => Promise<T>): Promise<T | null> {
    for (let attempt = 1; ; attempt++) {
      const shelved = await this.#shelf.read(place.source)
      const session = sessionAt(place, shelved)
      if (session === undefined) return null
      const price = priceBy(place.source)
      const messages = this.#shown.of(session, place.source.prices, place.subagents)
      const outline = (): Outline => this.#outlines.of(session, messages)
      try {
        return await answer({ session, shelved, messages, outline, price })
      } catch (error) {
        if (!(error instanceof ChangedFileError) || attempt === MAX_ATTEMPTS) throw error
        this.#shelf.drop(place.source)
        await this.#details?.remove(place)
      }
    }
  }
}

/** As the rows of the same files were priced. */
function priceBy({ prices }: IndexGroup): PriceCall {
  return (call) => priceCall(call, prices)
}

function partContent(part: Part): PartContent | null {
  switch (part.kind) {
    case 'text':
      return { mimeType: 'text/plain; charset=utf-8', bytes: Buffer.from(part.text) }
    case 'code':
      return {
        mimeType: 'text/plain; charset=utf-8',
        bytes: Buffer.from(`${part.code}\n${part.output ?? ''}`),
      }
    case 'unknown':
      return { mimeType: 'application/json', bytes: Buffer.from(JSON.stringify(part.json) ?? 'null') }
    case 'image':
    case 'audio':
    case 'file':
      return part.data === null ? null : { mimeType: part.mimeType, bytes: Buffer.from(part.data, 'base64') }
  }
}

function sessionAt({ ownKey, isProvisional }: SessionPlace, { sessions }: ShelvedSessions) {
  return sessions.find(({ key }) => key === ownKey) ?? (isProvisional ? sessions[0] : undefined)
}
