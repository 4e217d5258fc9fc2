import { closeSync, readSync } from 'node:fs'
import type {
  Handover,
  HandoverQuery,
  MessagePage,
  RawRecord,
  SessionAnswer,
  SessionParameters,
  SessionQuestion,
} from '@gemini-dash/api'
import { costCaveat } from '@gemini-dash/api/source-names'
import { pricerOf, ReasonFinder, reportCost, whatIf } from '@gemini-dash/pricing'
import type { SessionReasons } from '@gemini-dash/pricing/why'
import { Known, learnValue } from '@gemini-dash/redact'
import type { ResolvedQuery } from '@gemini-dash/session-index'
import {
  buildOutline,
  buildTimeline,
  ChangeStory,
  ContextXrayBuilder,
  doubtEdits,
  linkAgentCalls,
  linkTodoLists,
  listReasoning,
  type Message,
  mergeTouchedFiles,
  type Neighbours,
  type PastedImage,
  priceMessages,
  type Session,
  type SessionChanges,
  type SessionSummary,
  spentMessages,
  type TouchedFile,
  TouchedFileList,
  WasteFinder,
} from 'gemini-sessions'
import {
  type FoundFile,
  listNeighbours,
  openNeighbour,
  type ProjectPlace,
  readNeighbours,
  readSessionBeginning,
} from 'gemini-sessions/node'
import { learnMessage } from '../../export/redact-message.ts'
import { ownNames } from '../../redaction/own-names.ts'
import { columnCalls, stepCalls } from '../column-calls.ts'
import { cutForWire, PICTURE_HEAD_BYTES, pixelSize } from '../cut-for-wire.ts'
import { NoteTaker } from '../handover/session-notes.ts'
import { writeHandover } from '../handover/write-handover.ts'
import { mapSession, type TableRows, tableRows } from '../map-session.ts'
import { messagePage } from '../message-page.ts'
import { type RecordInFile, rawRecord, recordInFile } from '../raw-record.ts'
import { type Written, write } from '../written-messages.ts'
import { makeDetail } from './make-detail.ts'
import { makeRecords, makeTableTexts, makeTranscript } from './make-export.ts'
import { makeCommand, makeFixes } from './make-fixes.ts'
import { EXPORT_MAKERS } from './make-html.ts'
import { toolOutput, wholePart } from './message-parts.ts'
import type { OpenedSession } from './opened-session.ts'
import type { SessionPlace } from './session-place.ts'
import { feedMessages, findInMessages } from './walk-messages.ts'

/** For these, the serving thread extends the answer from the table, or the answer is not JSON (`SessionContent`). */
type WiderQuestion =
  | 'messages/:messageKey/raw'
  | 'messages/:messageKey/parts/:index'
  | 'tool-calls/:callId/output'
  | 'cost'
  | 'why'
  | 'find'
  | 'what-if'
  | 'neighbours'
  | 'neighbours/:fileId'
  | 'changes'
  | 'handover'
  | 'timeline'

type DirectMaker<Q extends SessionQuestion> = (
  opened: OpenedSession,
  asked: SessionParameters<Q>,
) => Promise<SessionAnswer<Q> | Written<SessionAnswer<Q>> | null>

type Makers = { [Q in Exclude<SessionQuestion, WiderQuestion>]: DirectMaker<Q> } & Record<
  | WiderQuestion
  | 'detail'
  | 'beginning'
  | 'whole'
  | 'records'
  | 'tableRows'
  | 'tableTexts'
  | 'files'
  | 'fixes'
  | 'command'
  | 'export'
  | 'exportReview'
  | 'exportPictures'
  | 'exportAgents',
  (opened: OpenedSession, asked: never) => Promise<unknown>
>

/**
 * How each question about one session is answered, in the thread that reads it: the implementation of `SESSION_QUESTIONS`. A question
 * without a maker does not compile. null: no such message or output.
 */
export const MAKERS = {
  /** The beginning of its page. */
  detail: async (opened: OpenedSession, _asked: object) => makeDetail(opened),

  messages: async ({ place, session, messages, shelved }, query) => {
    const page = messagePage({ ...session, messages }, query, place.isLive)
    const whole = linkTodoLists(messages, await shelved.restore(page.messages))
    return {
      ...page,
      partial: false,
      messages: whole.map((message) => cutForWire(message, place.shownKey)),
      state: place.source.fingerprint,
    }
  },

  /** The session is open already: the whole of it is sent at once. */
  beginning: async (_opened: OpenedSession, _asked: object): Promise<Written<BeginningParts> | null> => null,

  /** All messages, uncut. */
  whole: ({ messages, shelved }: OpenedSession, _asked: object): Promise<Message[]> =>
    shelved.restore(messages),

  records: makeRecords,

  /** Its rows for tables. */
  tableRows: async (
    { session, price }: OpenedSession,
    { isSpent }: { isSpent: boolean },
  ): Promise<TableRows> => tableRows(session.messages, price, isSpent),

  /** The texts beside them. */
  tableTexts: makeTableTexts,

  ...EXPORT_MAKERS,

  map: async ({ place, session, once }) =>
    once(place.isLive ? 'live map' : 'map', () => mapSession(session, place.isLive)),

  calls: async ({ place, outline, once }, { steps }) =>
    once(`calls ${steps}`, () =>
      steps === undefined
        ? columnCalls(outline().calls, place.source.prices)
        : stepCalls(outline().calls, place.source.prices, steps),
    ),

  transcript: makeTranscript,

  'messages/:messageKey/raw': async (
    { messages, shelved }: OpenedSession,
    { messageKey }: { messageKey: string },
  ): Promise<Written<RawRecord> | RecordInFile | null> => {
    const message = messages.find(({ key }) => key === messageKey)
    if (message === undefined) return null
    const bytes = await shelved.readRecord(message)
    // A session known only from a prompt log or a saved chat has no record of its own there.
    if (bytes === undefined)
      return write({ file: message.source.file, line: null, index: null, record: message })
    return 'absolutePath' in bytes ? recordInFile(message, bytes) : rawRecord(message, bytes)
  },

  /** Without its family. */
  cost: async ({ place, session }: OpenedSession, _asked: object) => ({
    ...reportCost(spentMessages(session), place.source.prices),
    ...caveatOf(session),
  }),

  'tool-calls/:callId/output': toolOutput,

  'messages/:messageKey/parts/:index': wholePart,

  find: (
    { place, session, shelved }: OpenedSession,
    { mode, tree, pattern, offset = 0 }: ResolvedQuery & { offset?: number },
  ) =>
    findInMessages(place.shownKey, session, { mode, tree, pattern, offset, isLive: place.isLive }, (batch) =>
      shelved.restore(batch),
    ),

  reasoning: async ({ messages }) => listReasoning(messages),

  context: async (opened) =>
    (await feed(opened, new ContextXrayBuilder(opened.session))).finish(opened.price),

  /** Without its family, for a session that the index has not read. */
  why: async (opened: OpenedSession, _asked: object): Promise<SessionReasons | null> =>
    (await feed(opened, new ReasonFinder(opened.session, opened.place.source.prices))).finish().reasons,

  waste: async (opened) => (await feed(opened, new WasteFinder(opened.session))).finish(opened.price),

  'what-if': async ({ place, session }: OpenedSession, _asked: object) =>
    whatIf(spentMessages(session), place.source.prices),

  timeline: async ({ place, messages, outline }: OpenedSession, asked: { maxSteps: number }) =>
    buildTimeline(messages, outline().turns, { sessionKey: place.shownKey, ...asked }),

  /** What the calls did to files, excluding its sub-agents. */
  files: async ({ place, messages }: OpenedSession, _asked: object) => {
    const list = new TouchedFileList(place.root)
    for (const message of messages) list.add(message)
    return list.files()
  },

  /** Excluding its sub-agents. */
  changes: (opened: OpenedSession, _asked: object): Promise<Written<SessionChanges>> => {
    const { root } = opened.place
    return opened.onceRead(`changes ${root}`, async () =>
      (await feed(opened, new ChangeStory(opened.session, root))).finish(),
    )
  },

  handover: async (
    opened: OpenedSession,
    { summary, agentFiles, ...query }: HandoverQuery & { summary: SessionSummary; agentFiles: TouchedFile[] },
  ): Promise<Handover> => {
    const taker = new NoteTaker(opened.session, { root: opened.place.root, verdict: summary.verdict })
    const redaction = query.redact === 'off' ? null : { ...ownNames(), known: new Known(ownNames()) }
    if (redaction !== null) learnValue(redaction.known, [summary.title, summary.project])
    await feed(opened, {
      add: (messages) => {
        taker.add(messages)
        if (redaction !== null) for (const message of messages) learnMessage(redaction.known, message)
      },
    })
    const notes = taker.finish()
    return writeHandover(
      {
        redaction,
        summary,
        notes: { ...notes, edits: doubtEdits(notes.edits, agentFiles) },
        agentFiles: mergeTouchedFiles(agentFiles),
      },
      query,
    )
  },

  fixes: makeFixes,

  command: makeCommand,

  neighbours: async (
    { session, shelved }: OpenedSession,
    { folders }: { folders: ProjectPlace[] },
  ): Promise<Neighbours> => {
    const neighbours = readNeighbours(folders, session, shelved.sessions)
    if (neighbours.images.length === 0) return neighbours
    const { byId } = listNeighbours(folders, session)
    return { ...neighbours, images: measurePictures(neighbours.images, byId) }
  },

  'neighbours/:fileId': async (
    { session }: OpenedSession,
    { folders, fileId }: { folders: ProjectPlace[]; fileId: string },
  ): Promise<FoundFile | null> => listNeighbours(folders, session).byId.get(fileId) ?? null,
} satisfies Makers

function caveatOf({ source }: Session): { caveat?: string } {
  const caveat = source === undefined ? null : costCaveat(source)
  return caveat === null ? {} : { caveat }
}

/** Passes all messages with their full texts to a consumer of the whole session. */
async function feed<Looker extends { add: (messages: readonly Message[]) => void }>(
  { session, shelved }: OpenedSession,
  looker: Looker,
): Promise<Looker> {
  await feedMessages(
    session.messages,
    (batch) => shelved.restore(batch),
    (batch) => looker.add(batch),
  )
  return looker
}

/** What the reader knows of a session's beginning; its row is stored separately. */
export type BeginningParts = Omit<MessagePage, 'session' | 'state'>

/** Usually ten messages or more; the second is for prompts with attached files. */
const LENGTHS = [1024 * 1024, 8 * 1024 * 1024]
/** More than a window shows. */
const MOST_MESSAGES = 40
const FEW_MESSAGES = 10

/** The first messages of a long session before it is read: as in its file, without knowledge of what follows. */
export function makeBeginning(place: SessionPlace): Written<BeginningParts> | null {
  const session = readBeginning(place)
  if (session === null) return null
  const prices = place.source.prices
  // a model's message is recorded again when its tools have answered, which may still follow for the last one
  const settled = session.messages.slice(0, -1)
  const priced = priceMessages(settled, pricerOf(prices))
  const messages = linkAgentCalls(priced, place.subagents)
  const shown = messages.slice(0, MOST_MESSAGES)
  // cut here, an older file looks damaged, and a damaged file's figures do not count
  const { turns } = buildOutline({ ...session, files: [], messages })
  return write<BeginningParts>({
    messages: linkTodoLists(messages, shown).map((message) => cutForWire(message, place.shownKey)),
    offset: 0,
    total: null,
    nextOffset: null,
    partial: true,
    // the last one continues in the unread part
    outline: turns.slice(0, -1).filter(({ firstOffset }) => firstOffset < shown.length),
  })
}

/** null: in a group of several files, the first messages may depend on all of them. */
function readBeginning({ source: { files, claims, loose } }: SessionPlace): Session | null {
  const [file] = files
  if (file === undefined || files.length > 1 || loose !== undefined) return null
  for (const lengthBytes of LENGTHS) {
    if (file.sizeBytes <= lengthBytes) return null
    const session = readSessionBeginning(file, lengthBytes, claims)
    if (session !== null && session.messages.length > FEW_MESSAGES) return session
  }
  return null
}

/** Adds to each existing picture the size at which it will be drawn, so that its space can be reserved. */
function measurePictures(
  images: readonly PastedImage[],
  filesById: ReadonlyMap<string, FoundFile>,
): PastedImage[] {
  return images.map((image) => {
    const found = filesById.get(image.file?.id ?? '')
    const head = found === undefined ? null : readHead(found)
    return head === null ? image : { ...image, pixelSize: pixelSize(head) }
  })
}

function readHead(found: FoundFile): Uint8Array | null {
  const opened = openNeighbour(found)
  if (opened === null) return null
  const { descriptor, sizeBytes } = opened
  try {
    const bytes = new Uint8Array(Math.min(sizeBytes, PICTURE_HEAD_BYTES))
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0))
  } catch {
    return null
  } finally {
    closeSync(descriptor)
  }
}
