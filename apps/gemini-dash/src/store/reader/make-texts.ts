import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import {
  type Depth,
  type ExportedAgent,
  type ExportFormat,
  type ExportReview,
  type FindResult,
  SEARCH_SECONDS,
  type Transcript,
  type TranscriptQuery,
} from '@gemini-dash/api'
import { Known, learnValue, type RedactOptions, redactText } from '@gemini-dash/redact'
import {
  findInRows,
  OutOfTime,
  queryMatcher,
  type ResolvedQuery,
  rowCall,
  SearchClock,
  type SessionRecord,
  SessionRecordBuilder,
} from '@gemini-dash/session-index'
import {
  callLine,
  failedKeys,
  type Message,
  messageText,
  type Session,
  type SessionSummary,
  unreadFiles,
} from 'gemini-sessions'
import {
  type CutMessage,
  chooseMessages,
  readChosen,
  type ToldMessage,
  withResultsOnly,
} from '../../export/choose-messages.ts'
import {
  type AgentSource,
  agentHomes,
  learnMessage,
  NO_AGENTS,
  type RedactedMessage,
  type Redaction,
  ReviewCache,
  redactMessage,
  redactOptions,
  redactWithAgents,
  UNCHANGED,
} from '../../export/redact-message.ts'
import { markdownWriter, writeTranscript } from '../../export/write-markdown.ts'
import {
  jsonLinesWriter,
  jsonWriter,
  type PictureFile,
  picturesOf,
  redactHead,
  vacWriter,
  type Writer,
  withPictureFiles,
} from '../../export/write-vac.ts'
import { WORD_JOINER } from '../../redaction/inert-mentions.ts'
import { ownNames } from '../../redaction/own-names.ts'
import type { OpenedSession } from './opened-session.ts'
import { ChangedFileError, type SessionPlace } from './session-place.ts'

/** The words that tables have beside their figures. */
export interface TableTexts {
  title: string
  firstPrompt: string | null
  projectName: string
  projectPath: string | null
  /** By key of the message: what a person, the model or the CLI said. */
  messages: [messageKey: string, text: string][]
  /** What each call was about in a line, and the files that it touched. */
  calls: [messageKey: string, place: number, line: string, paths: string[]][]
  /** So many places were redacted. */
  changes: number
}

const SPEAKERS: ReadonlySet<Message['origin']> = new Set(['human', 'model', 'cli'])

/** Whole, and redacted where that is asked for, as in every other export. */
export async function makeTableTexts(opened: OpenedSession, asked: RedactionAsked): Promise<TableTexts> {
  const { summary } = asked
  const options = await sessionOptions(opened, asked)
  const texts: TableTexts = {
    title: '',
    firstPrompt: null,
    projectName: '',
    projectPath: null,
    messages: [],
    calls: [],
    changes: 0,
  }
  const clean = (text: string): string => {
    if (options === null) return text
    const redacted = redactText(text, options)
    texts.changes += redacted.changes.length
    return redacted.text
  }
  texts.title = clean(summary.title)
  texts.firstPrompt = summary.firstPrompt === null ? null : clean(summary.firstPrompt)
  texts.projectName = clean(summary.project.name)
  texts.projectPath = summary.project.path === null ? null : clean(summary.project.path)
  await feedMessages(
    opened.messages,
    (batch) => opened.shelved.restore(batch),
    (batch) => {
      for (const whole of batch) {
        const { message, changes } =
          options === null ? { message: whole, changes: [] } : redactMessage(whole, options)
        texts.changes += changes.length
        const text = SPEAKERS.has(message.origin) ? messageText(message) : ''
        if (text !== '') texts.messages.push([message.key, text])
        for (const [place, call] of message.toolCalls.entries())
          texts.calls.push([message.key, place, callLine(call), rowCall(call).paths])
      }
    },
  )
  return texts
}

export interface ExportAsked {
  format: Exclude<ExportFormat, 'raw'>
  depth: Depth
  /** null: as it is. */
  redaction: Redaction | null
  summary: SessionSummary
  /** Those whose conversations leave in the calls that started them. */
  agents: readonly { summary: SessionSummary; place: SessionPlace }[]
  version: string
  /** IANA name. */
  zone: string
  /** The folder beside the file in which its pictures are; null: they leave by their names. */
  pictureFolder: string | null
  /** Where the piece before ended; null: the first one. */
  from: ExportPlace | null
}

/** What redaction needs to know. */
type RedactionAsked = Pick<ExportAsked, 'redaction' | 'summary' | 'agents'>

/** All but the document, which the page's components draw. */
interface TextAsked extends ExportAsked {
  format: Exclude<ExportAsked['format'], 'html'>
}

/** Where a piece ended: so many of the messages were read, of so many when it began, and so many were written. */
interface ExportPlace {
  read: number
  of: number
  written: number
  /** So many places were redacted; only the document says so. */
  redacted?: number
}

export interface ExportPiece {
  text: string
  /** So many places were redacted in it. */
  changes: number
  /** So much was left out of it: by its name only, or as what cannot be examined. */
  leftOut: number
  /** null: it was the last one. */
  next: ExportPlace | null
}

/** About so much is written at a time. */
export const PIECE_LENGTH = 300_000
/** So many messages have their large texts in memory at a time. */
const BATCH_MESSAGES = 40

const WRITERS: Readonly<Record<Exclude<ExportFormat, 'raw' | 'html'>, Writer>> = {
  markdown: markdownWriter,
  json: jsonWriter,
  jsonl: jsonLinesWriter,
  vac: vacWriter,
}

/** The next piece of a session as it leaves. Asked piece by piece, so that nothing is made faster than it is taken. */
export async function makeExport(opened: OpenedSession, asked: TextAsked): Promise<ExportPiece> {
  const { format, from } = asked
  const writer = WRITERS[format]
  const { head, changes: ofHead } = redactHead(
    await headOf(opened, asked),
    asked.format,
    await sessionOptions(opened, asked),
  )
  const total = from?.of ?? opened.messages.length
  let text = from === null ? writer.head(head) : ''
  let changes = from === null ? ofHead.length : 0
  let leftOut = 0
  let { read, written } = from ?? { read: 0, written: 0 }
  while (read < total && text.length < PIECE_LENGTH) {
    const end = Math.min(read + BATCH_MESSAGES, total)
    for await (const { told, agents, ...taken } of redactedMessages(opened, asked, read, end)) {
      text += writer.message(told, written, agents, head)
      changes += taken.changes.length
      leftOut += taken.leftOut.length + taken.byName
      if (told.message !== null) written += 1
    }
    read = end
  }
  if (read < total) return { text, changes, leftOut, next: { read, of: total, written } }
  return { text: text + writer.tail(head), changes, leftOut, next: null }
}

/** What `makeExport` would take out. */
export async function reviewExport(opened: OpenedSession, asked: ExportAsked): Promise<ExportReview> {
  const reviewed = new ReviewCache()
  const head = redactHead(await headOf(opened, asked), asked.format, await sessionOptions(opened, asked))
  reviewed.add(head.changes, [], null)
  const { length } = opened.messages
  for (let start = 0; start < length; start += BATCH_MESSAGES) {
    const batch = redactedMessages(opened, asked, start, Math.min(start + BATCH_MESSAGES, length))
    for await (const { told, changes, leftOut, byName } of batch) {
      reviewed.add(changes, leftOut, told.message?.key ?? null)
      reviewed.addByName(byName)
    }
  }
  return reviewed.review()
}

/** The pictures of a session as files, each without its bytes, or those of one with them. */
export async function exportPictures(
  opened: OpenedSession,
  { depth, name }: { depth: Depth; name: string | null },
): Promise<PictureFile[]> {
  const found: PictureFile[] = []
  for await (const { message } of readChosen(toldMessages(opened), depth, (batch) =>
    opened.shelved.restore(batch),
  ))
    for (const picture of message === null ? [] : picturesOf(message))
      if (name === null) found.push({ ...picture, data: '' })
      else if (picture.name === name) return [picture]
  return found
}

interface RedactedTold extends Omit<RedactedMessage, 'message'> {
  told: CutMessage
  agents: ReadonlyMap<string, ExportedAgent>
}

/** Once a reading and for whom, however many pieces are made of it. */
const KNOWN = new WeakMap<readonly Message[], { who: string; known: Promise<Known> }>()

/**
 * For the redaction, with what the whole session and its sub-agents tell: one pass over all that is said, before the first
 * piece of it leaves. null: it leaves as it is.
 */
export async function sessionOptions(
  opened: OpenedSession,
  asked: RedactionAsked,
): Promise<RedactOptions | null> {
  const { redaction } = asked
  if (redaction === null) return null
  const { keep: _, ...person } = redaction
  const who = JSON.stringify([person, asked.agents.map(({ summary }) => summary.key)])
  const before = KNOWN.get(opened.messages)
  const known = before?.who === who ? before.known : learnSession(opened, asked, new Known(person))
  KNOWN.set(opened.messages, { who, known })
  return { ...redactOptions(redaction), known: await known }
}

async function learnSession(
  opened: OpenedSession,
  { agents, summary }: RedactionAsked,
  known: Known,
): Promise<Known> {
  learnValue(known, [summary.title, summary.project, summary.files])
  await learnMessages(opened, known)
  for (const { place } of agents) await opened.withOther(place, (other) => learnMessages(other, known))
  return known
}

/** Adds what a session's messages tell, whole, to what is known. */
function learnMessages({ messages, shelved }: OpenedSession, known: Known): Promise<void> {
  return feedMessages(
    messages,
    (batch) => shelved.restore(batch),
    (batch) => {
      for (const message of batch) learnMessage(known, message)
    },
  )
}

async function* redactedMessages(
  opened: OpenedSession,
  asked: ExportAsked,
  start: number,
  end: number,
): AsyncGenerator<RedactedTold> {
  const { depth, format, pictureFolder } = asked
  const options = await sessionOptions(opened, asked)
  const source = agentSource(opened, asked, options)
  const chosen = toldMessages(opened).slice(start, end)
  for await (const told of readChosen(chosen, depth, (batch) => opened.shelved.restore(batch))) {
    const shown = told.message && format === 'markdown' ? withResultsOnly(told.message) : told.message
    const message = shown && pictureFolder !== null ? withPictureFiles(shown, pictureFolder) : shown
    if (message === null) yield { told: { ...told, message }, agents: NO_AGENTS, ...UNCHANGED }
    else {
      const { message: clean, ...rest } = await redactWithAgents(message, options, source)
      yield { told: { ...told, message: clean }, ...rest }
    }
  }
}

/** null: no sub-agent leaves along. */
export function agentSource(
  opened: OpenedSession,
  { agents, depth, format }: ExportAsked,
  options: RedactOptions | null,
): AgentSource | null {
  if (agents.length === 0) return null
  const byKey = new Map(agents.map((agent) => [agent.summary.key, agent]))
  return {
    homes: agentHomes(toldMessages(opened)),
    depth,
    options,
    written: format === 'markdown' ? withResultsOnly : (message) => message,
    withAgent: async (key, read) => {
      const agent = byKey.get(key)
      if (agent === undefined) return null
      return opened.withOther(agent.place, (other) => {
        const restore = (batch: readonly Message[]) => other.shelved.restore(batch)
        return read({ session: agent.summary, told: toldMessages(other), restore })
      })
    },
  }
}

/** Once a reading, however many pieces are made of it. */
const CHOSEN = new WeakMap<readonly Message[], ToldMessage[]>()

export function toldMessages({ messages, outline, place }: OpenedSession): ToldMessage[] {
  const known = CHOSEN.get(messages)
  if (known !== undefined) return known
  const { turns } = outline()
  const chosen = chooseMessages({ messages, turns, isLive: place.isLive === true }) ?? []
  CHOSEN.set(messages, chosen)
  return chosen
}

async function headOf(
  opened: OpenedSession,
  { format, depth, summary, version, zone, redaction, from }: ExportAsked,
) {
  const { place, session, outline } = opened
  const isProof = format === 'vac' && from === null
  return {
    session: summary,
    segments: session.segments,
    turns: outline().turns,
    depth,
    version,
    zone,
    fileHashes: isProof ? await Promise.all(place.source.files.map(hashOf)) : [],
    isRedacted: redaction !== null,
  }
}

/** @throws ChangedFileError where it cannot be read any more: the answer is then what a reading says */
async function hashOf({ absolutePath }: { absolutePath: string }): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const bytes of createReadStream(absolutePath)) hash.update(bytes)
  } catch {
    throw new ChangedFileError('A session file was deleted while it was read.')
  }
  return hash.digest('hex')
}

/** So many are in memory with all their texts at a time. */
const WALKED_BATCH_MESSAGES = 100

/** Brings messages with all that they say. */
type Restore = (messages: readonly Message[]) => Promise<Message[]>

/** Hands a session's messages, in order and with all that they say, to what looks at the whole of it. */
export async function feedMessages(
  messages: readonly Message[],
  restore: Restore,
  add: (messages: readonly Message[]) => void,
): Promise<void> {
  for await (const { batch } of batches(messages, restore)) add(batch)
}

/** After so long somebody who waits wants to see what was found. */
const FIND_MS = SEARCH_SECONDS * 1_000

interface FindInSession extends ResolvedQuery {
  isLive?: boolean
  /** The message to begin with. */
  offset: number
  /** The thread's work for it; for tests. */
  limitMs?: number
}

/**
 * Every message and field of a session that a search finds, in reading order. A pattern that takes long ends it before a
 * message, where the next question goes on; one message at least is searched.
 */
export async function findInMessages(
  sessionKey: string,
  session: Pick<Session, 'kind' | 'messages' | 'files'>,
  { offset, isLive, limitMs = FIND_MS, ...request }: FindInSession,
  restore: Restore,
): Promise<FindResult> {
  const failed = failedKeys(session, { isLive })
  const clock = new SearchClock(limitMs)
  const { matcher } = await queryMatcher(request, clock.check)
  const hits: FindResult['hits'] = []
  let messagesLeftOut = 0
  const answer = (nextOffset: number | null): FindResult => {
    const isWhole = nextOffset === null && messagesLeftOut === 0
    return { hits, total: hits.length, partial: isWhole ? null : { nextOffset, messagesLeftOut } }
  }
  // one by one where one alone may take long: so it is known where to go on
  const step = request.mode === 'words' ? WALKED_BATCH_MESSAGES : 1
  for await (const { batch, start } of batches(session.messages, restore, offset)) {
    for (let at = 0; at < batch.length; at += step) {
      if (start + at > offset && clock.isOver) return answer(start + at)
      const messages = batch.slice(at, at + step)
      clock.beginMessage()
      try {
        for (const { index, ...hit } of findInRows(sessionKey, { messages, failed }, request, matcher)) {
          const message = messages[index]
          if (message !== undefined)
            hits.push({ messageKey: message.key, offset: start + at + index, ...hit })
        }
      } catch (error) {
        if (!(error instanceof OutOfTime)) throw error
        messagesLeftOut += 1
      }
    }
    // others see that this thread is alive
    await clock.during(setImmediate)
  }
  return answer(null)
}

async function* batches(
  messages: readonly Message[],
  restore: Restore,
  first = 0,
): AsyncGenerator<{ batch: Message[]; start: number }> {
  for (let start = first; start < messages.length; start += WALKED_BATCH_MESSAGES) {
    yield { batch: await restore(messages.slice(start, start + WALKED_BATCH_MESSAGES)), start }
  }
}

/** What is copied: a whole session without secrets and names, a part of one as it is. null: there is no such message. */
export async function makeTranscript(
  opened: OpenedSession,
  { as, message, turnOf, redact }: TranscriptQuery,
): Promise<Transcript | null> {
  const { place, messages, outline, shelved } = opened
  const { turns } = outline()
  const chosen = chooseMessages({ messages, turns, isLive: place.isLive === true }, { message, turnOf })
  if (chosen === null) return null
  const isWhole = message === undefined && turnOf === undefined
  const told = readChosen(chosen, 'all', (batch) => shelved.restore(batch))
  const taken = { count: 0 }
  const isRedacted = redact === undefined ? isWhole : redact === 'on'
  const text = await writeTranscript(isRedacted ? redacted(told, await ownOptions(opened), taken) : told, {
    as,
    hasHeads: message === undefined,
  })
  // of a whole session that is printed nobody asks
  const found = isRedacted || isWhole ? [] : redactText(text.replaceAll(WORD_JOINER, '')).changes
  return { text, redacted: taken.count, secrets: found.filter(({ kind }) => kind === 'secret').length }
}

/** With what the whole session tells, also where a part of it is copied. */
async function ownOptions(opened: OpenedSession): Promise<RedactOptions> {
  const names = ownNames()
  const known = new Known(names)
  await learnMessages(opened, known)
  return { ...names, known }
}

async function* redacted(
  told: AsyncIterable<CutMessage>,
  options: RedactOptions,
  taken: { count: number },
): AsyncGenerator<CutMessage> {
  for await (const each of told) {
    if (each.message === null) yield each
    else {
      const { message, changes } = redactMessage(each.message, options)
      taken.count += changes.length
      yield { ...each, message }
    }
  }
}

/** What the index would say of the sessions in these files; null: not all of them can be read just now. */
export async function makeRecords(
  { place, shelved }: OpenedSession,
  _asked: object,
): Promise<SessionRecord[] | null> {
  const { files, loose } = place.source
  if (unreadFiles(shelved.sessions, loose === undefined ? files : []).length > 0) return null
  const records: SessionRecord[] = []
  for (const session of shelved.sessions) {
    const record = new SessionRecordBuilder(session, place.source.prices)
    await feedMessages(
      session.messages,
      (messages) => shelved.restore(messages),
      (messages) => record.add(messages),
    )
    records.push(record.finish())
  }
  return records
}
