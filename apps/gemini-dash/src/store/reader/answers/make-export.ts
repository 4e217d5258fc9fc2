import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Depth, ExportFormat, ExportReview, LeavingAgent, SessionCalls } from '@gemini-dash/api'
import type { RedactOptions } from '@gemini-dash/redact'
import type { Message, SessionSummary } from 'gemini-sessions'
import {
  type CutMessage,
  chooseMessages,
  readChosen,
  type ToldMessage,
} from '../../../export/choose-messages.ts'
import {
  type AgentSource,
  agentHomes,
  NO_AGENTS,
  redactWithAgents,
  UNCHANGED,
} from '../../../export/leaving-agents.ts'
import { withResultsOnly } from '../../../export/output-text.ts'
import { type PictureFile, picturesOf, withPictureFiles } from '../../../export/picture-files.ts'
import { redactHead } from '../../../export/redact-head.ts'
import type { RedactedMessage, Redaction } from '../../../export/redact-message.ts'
import { ReviewBook } from '../../../export/review-book.ts'
import { jsonLinesWriter, jsonWriter } from '../../../export/write-json.ts'
import { markdownWriter } from '../../../export/write-markdown.ts'
import { vacWriter } from '../../../export/write-vac.ts'
import type { Writer } from '../../../export/writer.ts'
import { columnCalls } from '../../messages/column-calls.ts'
import { callsCsv } from '../../usage/csv/session-csv.ts'
import { ChangedFileError } from '../place/changed-file-error.ts'
import type { SessionPlace } from '../place/session-place.ts'
import type { OpenedSession } from './opened-session.ts'
import { sessionOptions } from './session-options.ts'

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

/** All but the document, which the page's components draw. */
export interface TextAsked extends ExportAsked {
  format: Exclude<ExportAsked['format'], 'html'>
}

/** Where a piece ended: so many of the messages were read, of so many when it began, and so many were written. */
interface ExportPlace {
  read: number
  of: number
  written: number
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

const WRITERS: Readonly<Record<Exclude<ExportFormat, 'raw' | 'html' | 'csv'>, Writer>> = {
  markdown: markdownWriter,
  json: jsonWriter,
  jsonl: jsonLinesWriter,
  vac: vacWriter,
}

/** The next piece of a session as it leaves. Asked piece by piece, so that nothing is made faster than it is taken. */
export async function makeExport(opened: OpenedSession, asked: TextAsked): Promise<ExportPiece> {
  const { format, from } = asked
  if (format === 'csv') return { text: callsCsv(callsOf(opened)), changes: 0, leftOut: 0, next: null }
  const writer = WRITERS[format]
  const options = await sessionOptions(opened, asked)
  const { head, changes: ofHead } = redactHead(await headOf(opened, asked), format, options)
  const total = from?.of ?? opened.messages.length
  let text = from === null ? writer.head(head) : ''
  let changes = from === null ? ofHead.length : 0
  let leftOut = 0
  let { read, written } = from ?? { read: 0, written: 0 }
  while (read < total && text.length < PIECE_LENGTH) {
    const end = Math.min(read + BATCH_MESSAGES, total)
    for await (const { told, agents, ...taken } of redactedMessages(opened, asked, options, read, end)) {
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
  const book = new ReviewBook()
  if (asked.format === 'csv') return book.review()
  const options = await sessionOptions(opened, asked)
  const head = redactHead(await headOf(opened, asked), asked.format, options)
  book.add(head.changes, [], null)
  const { length } = opened.messages
  for (let start = 0; start < length; start += BATCH_MESSAGES) {
    const batch = redactedMessages(opened, asked, options, start, Math.min(start + BATCH_MESSAGES, length))
    for await (const { told, changes, leftOut, byName } of batch) {
      book.add(changes, leftOut, told.message?.key ?? null)
      book.addByName(byName)
    }
  }
  return book.review()
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
  agents: ReadonlyMap<string, LeavingAgent>
}

async function* redactedMessages(
  opened: OpenedSession,
  asked: ExportAsked,
  options: RedactOptions | null,
  start: number,
  end: number,
): AsyncGenerator<RedactedTold> {
  const { depth, format, pictureFolder } = asked
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

function callsOf({ outline, place }: OpenedSession): SessionCalls {
  return columnCalls(outline().calls, place.source.prices)
}
