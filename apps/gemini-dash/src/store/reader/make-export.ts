import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type {
  Depth,
  ExportedAgent,
  ExportFormat,
  ExportReview,
  Transcript,
  TranscriptQuery,
} from '@gemini-dash/api'
import { Known, learnValue, type RedactOptions, redactText } from '@gemini-dash/redact'
import { rowCall, type SessionRecord, SessionRecordBuilder } from '@gemini-dash/session-index'
import { callLine, type Message, messageText, type SessionSummary, unreadFiles } from 'gemini-sessions'
import {
  type ChosenMessage,
  type CutMessage,
  chooseMessages,
  readChosen,
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
import { feedMessages, showLife } from './walk-messages.ts'

/** The texts in tables, beside their figures. */
export interface TableTexts {
  title: string
  firstPrompt: string | null
  projectName: string
  projectPath: string | null
  /** By key of the message: what a person, the model or the CLI wrote. */
  messages: [messageKey: string, text: string][]
  /** One line about each call, and the files that it touched. */
  calls: [messageKey: string, place: number, line: string, paths: string[]][]
  /** Number of redactions. */
  changes: number
}

const SPEAKERS: ReadonlySet<Message['origin']> = new Set(['human', 'model', 'cli'])

/** In full; redacted on request, as in every other export. */
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
  /** null: no redaction. */
  redaction: Redaction | null
  summary: SessionSummary
  /** Those whose conversations are exported in the calls that started them. */
  agents: readonly { summary: SessionSummary; place: SessionPlace }[]
  version: string
  /** IANA name. */
  zone: string
  /** The folder, next to the file, with its pictures; null: they are exported by name only. */
  pictureFolder: string | null
  /** Where the previous piece ended; null: this is the first one. */
  from: ExportPlace | null
}

/** The input for redaction. */
type RedactionAsked = Pick<ExportAsked, 'redaction' | 'summary' | 'agents'>

/** All formats but HTML, which the page's components render. */
interface TextAsked extends ExportAsked {
  format: Exclude<ExportAsked['format'], 'html'>
}

/** Where a piece ended: how many messages were read, how many there were at its beginning, and how many were written. */
interface ExportPlace {
  read: number
  of: number
  written: number
  /** Number of redactions; only the HTML document states it. */
  redacted?: number
}

export interface ExportPiece {
  text: string
  /** Number of redactions in it. */
  changes: number
  /** Number of items left out: exported by name only, or because they cannot be examined. */
  leftOut: number
  /** null: it was the last one. */
  next: ExportPlace | null
}

/** Approximate number of characters written at a time. */
export const PIECE_LENGTH = 300_000
/** Number of messages whose large texts are in memory at a time. */
const BATCH_MESSAGES = 40

const WRITERS: Readonly<Record<Exclude<ExportFormat, 'raw' | 'html'>, Writer>> = {
  markdown: markdownWriter,
  json: jsonWriter,
  jsonl: jsonLinesWriter,
  vac: vacWriter,
}

/** The next piece of an exported session. Requested piece by piece, so that nothing is produced faster than it is consumed. */
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
    for await (const { cut, agents, ...taken } of redactedMessages(opened, asked, read, end)) {
      text += writer.message(cut, written, agents, head)
      changes += taken.changes.length
      leftOut += taken.leftOut.length + taken.byName
      if (cut.message !== null) written += 1
    }
    read = end
  }
  if (read < total) return { text, changes, leftOut, next: { read, of: total, written } }
  return { text: text + writer.tail(head), changes, leftOut, next: null }
}

/** What `makeExport` would redact. */
export async function reviewExport(opened: OpenedSession, asked: ExportAsked): Promise<ExportReview> {
  const reviewed = new ReviewCache()
  const head = redactHead(await headOf(opened, asked), asked.format, await sessionOptions(opened, asked))
  reviewed.add(head.changes, [], null)
  const { length } = opened.messages
  for (let start = 0; start < length; start += BATCH_MESSAGES) {
    const batch = redactedMessages(opened, asked, start, Math.min(start + BATCH_MESSAGES, length))
    for await (const { cut, changes, leftOut, byName } of batch) {
      reviewed.add(changes, leftOut, cut.message?.key ?? null)
      reviewed.addByName(byName)
    }
  }
  return reviewed.review()
}

/** The pictures of a session as files, each without its bytes; or one of them with its bytes. */
export async function exportPictures(
  opened: OpenedSession,
  { depth, name }: { depth: Depth; name: string | null },
): Promise<PictureFile[]> {
  const found: PictureFile[] = []
  for await (const { message } of readChosen(messagesInOrder(opened), depth, (batch) =>
    opened.shelved.restore(batch),
  ))
    for (const picture of message === null ? [] : picturesOf(message))
      if (name === null) found.push({ ...picture, data: '' })
      else if (picture.name === name) return [picture]
  return found
}

interface RedactedCut extends Omit<RedactedMessage, 'message'> {
  cut: CutMessage
  agents: ReadonlyMap<string, ExportedAgent>
}

/** Computed once per reading and user, for all pieces. */
const KNOWN = new WeakMap<readonly Message[], { who: string; known: Promise<Known> }>()

/**
 * Options for the redaction, with what the whole session and its sub-agents reveal: one pass over all texts, before the first piece is
 * exported. null: no redaction.
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

/** Adds what a session's messages reveal, read in full, to what is known. */
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
): AsyncGenerator<RedactedCut> {
  const { depth, format, pictureFolder } = asked
  const options = await sessionOptions(opened, asked)
  const source = agentSource(opened, asked, options)
  const chosen = messagesInOrder(opened).slice(start, end)
  for await (const cut of readChosen(chosen, depth, (batch) => opened.shelved.restore(batch))) {
    const shown = cut.message && format === 'markdown' ? withResultsOnly(cut.message) : cut.message
    const message = shown && pictureFolder !== null ? withPictureFiles(shown, pictureFolder) : shown
    if (message === null) yield { cut: { ...cut, message }, agents: NO_AGENTS, ...UNCHANGED }
    else {
      await showLife()
      const { message: clean, ...rest } = await redactWithAgents(message, options, source)
      yield { cut: { ...cut, message: clean }, ...rest }
    }
  }
}

/** null: no sub-agents are exported with it. */
export function agentSource(
  opened: OpenedSession,
  { agents, depth, format }: ExportAsked,
  options: RedactOptions | null,
): AgentSource | null {
  if (agents.length === 0) return null
  const byKey = new Map(agents.map((agent) => [agent.summary.key, agent]))
  return {
    homes: agentHomes(messagesInOrder(opened)),
    depth,
    options,
    written: format === 'markdown' ? withResultsOnly : (message) => message,
    withAgent: async (key, read) => {
      const agent = byKey.get(key)
      if (agent === undefined) return null
      return opened.withOther(agent.place, (other) => {
        const restore = (batch: readonly Message[]) => other.shelved.restore(batch)
        return read({ session: agent.summary, chosen: messagesInOrder(other), restore })
      })
    },
  }
}

/** Computed once per reading, for all pieces. */
const CHOSEN = new WeakMap<readonly Message[], ChosenMessage[]>()

export function messagesInOrder({ messages, outline, place }: OpenedSession): ChosenMessage[] {
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

/** @throws ChangedFileError if it can no longer be read: then the session is read again */
async function hashOf({ absolutePath }: { absolutePath: string }): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const bytes of createReadStream(absolutePath)) hash.update(bytes)
  } catch {
    throw new ChangedFileError('A session file was deleted while it was read.')
  }
  return hash.digest('hex')
}

/** Text for copying: a whole session without secrets and names, a part of one unchanged. null: no such message. */
export async function makeTranscript(
  opened: OpenedSession,
  { as, message, turnOf, redact }: TranscriptQuery,
): Promise<Transcript | null> {
  const { place, messages, outline, shelved } = opened
  const { turns } = outline()
  const chosen = chooseMessages({ messages, turns, isLive: place.isLive === true }, { message, turnOf })
  if (chosen === null) return null
  const isWhole = message === undefined && turnOf === undefined
  const cut = readChosen(chosen, 'all', (batch) => shelved.restore(batch))
  const taken = { count: 0 }
  const isRedacted = redact === undefined ? isWhole : redact === 'on'
  const text = await writeTranscript(isRedacted ? redacted(cut, await ownOptions(opened), taken) : cut, {
    as,
    hasHeads: message === undefined,
  })
  // a whole session that is printed needs no check
  const found = isRedacted || isWhole ? [] : redactText(text.replaceAll(WORD_JOINER, '')).changes
  return { text, redacted: taken.count, secrets: found.filter(({ kind }) => kind === 'secret').length }
}

/** Based on the whole session, even if only a part of it is copied. */
async function ownOptions(opened: OpenedSession): Promise<RedactOptions> {
  const names = ownNames()
  const known = new Known(names)
  await learnMessages(opened, known)
  return { ...names, known }
}

async function* redacted(
  cut: AsyncIterable<CutMessage>,
  options: RedactOptions,
  taken: { count: number },
): AsyncGenerator<CutMessage> {
  for await (const each of cut) {
    if (each.message === null) yield each
    else {
      await showLife()
      const { message, changes } = redactMessage(each.message, options)
      taken.count += changes.length
      yield { ...each, message }
    }
  }
}

/** What the index would store for the sessions in these files; null: not all of them can be read at the moment. */
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
