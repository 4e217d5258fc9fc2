import type {
  CostReportQuery,
  Handover,
  HandoverQuery,
  RawRecord,
  SessionAnswer,
  SessionParameters,
  SessionQuestion,
} from '@gemini-dash/api'
import { explainCost, explainWhy, reportCost, whatIf } from '@gemini-dash/pricing'
import type { ResolvedQuery } from '@gemini-dash/session-index'
import {
  buildTimeline,
  ContextXrayBuilder,
  doubtEdits,
  EditStory,
  linkTodoLists,
  listReasoning,
  type Message,
  mergeTouchedFiles,
  type Neighbours,
  type SessionSummary,
  spentMessages,
  type TimelineWindow,
  type TouchedFile,
  WasteFinder,
} from 'gemini-sessions'
import { type FoundFile, listNeighbours, type ProjectPlace, readNeighbours } from 'gemini-sessions/node'
import { NoteTaker } from '../../handover/session-notes.ts'
import { writeHandover } from '../../handover/write-handover.ts'
import { columnCalls, stepCalls } from '../../messages/column-calls.ts'
import { cutForWire } from '../../messages/cut-for-wire.ts'
import { mapSession } from '../../messages/map-session.ts'
import { messagePage } from '../../messages/message-page.ts'
import { type RecordInFile, rawRecord, recordInFile } from '../../messages/raw-record.ts'
import { type Written, write } from '../../messages/written.ts'
import { listTouches } from './list-touches.ts'
import type { BeginningParts } from './make-beginning.ts'
import { makeDetail } from './make-detail.ts'
import { EXPORT_MAKERS } from './make-html.ts'
import { makeRecords } from './make-records.ts'
import { makeTranscript } from './make-transcript.ts'
import { measurePictures } from './measure-pictures.ts'
import type { OpenedSession } from './opened-session.ts'
import { ownOptions } from './session-options.ts'
import { tokenRecords } from './token-records.ts'
import { touchingMessages } from './touching-messages.ts'
import { feedMessages, findInMessages } from './walk-messages.ts'
import { toolOutput, wholePart } from './whole-texts.ts'

/** Asked of the table, these need more than it says, or are no JSON: the serving thread does the rest (`SessionContent`). */
export type WiderQuestion =
  | 'messages/:messageKey/raw'
  | 'messages/:messageKey/parts/:index'
  | 'tool-calls/:callId/output'
  | 'cost'
  | 'find'
  | 'what-if'
  | 'neighbours'
  | 'neighbours/:fileId'
  | 'edits'
  | 'handover'
  | 'files'
  | 'files/change'
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
  | 'fileCalls'
  | 'export'
  | 'exportReview'
  | 'exportPictures'
  | 'exportAgents',
  (opened: OpenedSession, asked: never) => Promise<unknown>
>

/**
 * How each question about one session is answered, in the thread that reads it: the other half of `SESSION_QUESTIONS`.
 * A question without its maker does not compile. null: there is no such message or output.
 */
export const MAKERS = {
  /** What its page begins with. */
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

  /** It is open: nothing goes out before the whole. */
  beginning: async (_opened: OpenedSession, _asked: object): Promise<Written<BeginningParts> | null> => null,

  /** All messages, uncut. */
  whole: ({ messages, shelved }: OpenedSession, _asked: object): Promise<Message[]> =>
    shelved.restore(messages),

  records: makeRecords,

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

  'messages/:messageKey/cost': async ({ place, session }, { messageKey }) => {
    const message = session.messages.find(({ key }) => key === messageKey)
    if (message === undefined) return null
    const { usage, timestamp, superseded } = message
    const records = await tokenRecords(session, message, place.source.files)
    return { ...explainCost(message, place.source.prices), usage, timestamp, superseded, records }
  },

  /** Without its family. */
  cost: async ({ place, session, outline }: OpenedSession, { turn: wanted }: CostReportQuery) => {
    const { prices } = place.source
    if (wanted === undefined) return reportCost(spentMessages(session), prices)
    const turn = outline().turns.find(({ number }) => number === wanted)
    if (turn === undefined) return null
    const { firstOffset, messageCount } = turn
    return reportCost(session.messages.slice(firstOffset, firstOffset + messageCount), prices, firstOffset)
  },

  'tool-calls/:callId/output': toolOutput,

  'messages/:messageKey/parts/:index': wholePart,

  find: (
    { place, session, shelved }: OpenedSession,
    { mode, tree, pattern, offset }: ResolvedQuery & { offset: number },
  ) =>
    findInMessages(place.shownKey, session, { mode, tree, pattern, offset, isLive: place.isLive }, (batch) =>
      shelved.restore(batch),
    ),

  reasoning: async ({ messages }) => listReasoning(messages),

  context: async (opened) =>
    (await feed(opened, new ContextXrayBuilder(opened.session))).finish(opened.price),

  why: async (opened) => {
    const { session, place, price } = opened
    const xray = (await feed(opened, new ContextXrayBuilder(session))).finish(price)
    return explainWhy(spentMessages(session), xray, place.source.prices)
  },

  waste: async (opened) => (await feed(opened, new WasteFinder(opened.session))).finish(opened.price),

  'what-if': async ({ place, session }: OpenedSession, _asked: object) =>
    whatIf(spentMessages(session), place.source.prices),

  timeline: async (
    { place, messages, outline }: OpenedSession,
    asked: { window: TimelineWindow | undefined; maxSteps: number },
  ) => buildTimeline(messages, outline().turns, { sessionKey: place.shownKey, ...asked }),

  files: async ({ place, messages, shelved }: OpenedSession, _asked: object) =>
    (await listTouches(messages, place, (batch) => shelved.restore(batch))).files(),

  'files/change': async ({ place, messages, shelved }: OpenedSession, { path }: { path: string }) =>
    (await listTouches(messages, place, (batch) => shelved.restore(batch), path)).change(),

  edits: async (opened: OpenedSession, _asked: object) =>
    (await feed(opened, new EditStory(opened.place.root))).finish(),

  handover: async (
    opened: OpenedSession,
    { summary, agentFiles, ...query }: HandoverQuery & { summary: SessionSummary; agentFiles: TouchedFile[] },
  ): Promise<Handover> => {
    const { root, isLive = false } = opened.place
    const redaction = query.redact === 'off' ? null : await ownOptions(opened)
    const notes = (await feed(opened, new NoteTaker(opened.session, { root, isLive }))).finish()
    return writeHandover(
      {
        redaction,
        summary,
        notes: { ...notes, edits: doubtEdits(notes.edits, agentFiles) },
        agentFiles: mergeTouchedFiles(agentFiles.map((file) => [file])),
      },
      query,
    )
  },

  fileCalls: ({ place, messages, shelved }: OpenedSession, asked: { path: string; messageKeys: string[] }) =>
    touchingMessages(messages, { ...place, ...asked }, (batch) => shelved.restore(batch)),

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

/** Hands all messages, with all that they say, to what looks at the whole of a session. */
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
