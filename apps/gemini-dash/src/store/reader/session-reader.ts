import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { priceCall } from '@gemini-dash/pricing'
import { toSessionRecord } from '@gemini-dash/session-index'
import {
  buildOutline,
  linkAgentCalls,
  type Message,
  type Part,
  priceMessages,
  type Session,
} from 'gemini-sessions'
import { listNeighbours, readNeighbours } from 'gemini-sessions/node'
import { messagePage } from '../message-page.ts'
import { rawRecord } from '../raw-record.ts'
import type { PartContent } from '../store.ts'
import { findInMessages } from './find-in-messages.ts'
import type { Reader, ReaderAnswers, ReaderQuestion, SessionPlace } from './reader-question.ts'
import { SessionShelf } from './session-shelf.ts'

type Answer<Q extends ReaderQuestion> = Promise<ReaderAnswers[Q]['answer']>
type Args<Q extends ReaderQuestion> = ReaderAnswers[Q]['args']

/** Answers everything that needs a session's content, from its files. */
export class SessionReader implements Reader {
  readonly #shelf = new SessionShelf()

  async detail(place: Args<'detail'>): Answer<'detail'> {
    const session = await this.#session(place)
    if (session === null) return null
    const { turns, calls, compressions } = buildOutline(session, priceCall)
    const { segments, messages, drawnKeys } = session
    return { segments, messageTotal: messages.length, outline: turns, calls, compressions, drawnKeys }
  }

  async page({ query, ...place }: Args<'page'>): Answer<'page'> {
    const messages = await this.#messages(place)
    return messages === null ? null : messagePage(messages, place.shownKey, query)
  }

  messages(place: Args<'messages'>): Answer<'messages'> {
    return this.#messages(place)
  }

  async raw({ messageKey, ...place }: Args<'raw'>): Answer<'raw'> {
    const message = await this.#message(place, messageKey)
    if (message === null) return null
    const file = filePath(place, message.source.file)
    // A session known only from a prompt log or a saved chat has no record of its own there.
    if (file === null) return { file: message.source.file, line: null, index: null, record: message }
    return rawRecord(message.source, message.id, await readFile(file))
  }

  async output({ callId, of, ...place }: Args<'output'>): Answer<'output'> {
    const messages = await this.#messages(place)
    const call = messages?.flatMap(({ toolCalls }) => toolCalls).find(({ id }) => id === callId)
    if (call === undefined) return null
    if (of === 'display') return call.display
    const extra = /^extra-(\d+)$/.exec(of)?.[1]
    return extra === undefined ? call.output : (call.extraParts[Number(extra)] ?? null)
  }

  async part({ messageKey, index, ...place }: Args<'part'>): Answer<'part'> {
    const message = await this.#message(place, messageKey)
    const part = message?.content[index]
    return part === undefined ? null : partContent(part)
  }

  async find({ q, ...place }: Args<'find'>): Answer<'find'> {
    const messages = await this.#messages(place)
    return messages === null ? null : findInMessages(messages, q)
  }

  /** The rows of a project's prompt logs and saved chats, which are not indexed. */
  async neighbours({ source }: Args<'neighbours'>): Answer<'neighbours'> {
    return (await this.#shelf.read(source)).map(toSessionRecord)
  }

  async beside({ folders, ...place }: Args<'beside'>): Answer<'beside'> {
    const session = await this.#session(place)
    return session === null ? null : readNeighbours(folders, session, await this.#shelf.read(place.source))
  }

  async besideFile({ folders, fileId, ...place }: Args<'besideFile'>): Answer<'besideFile'> {
    const session = await this.#session(place)
    return session === null ? null : (listNeighbours(folders, session).byId.get(fileId) ?? null)
  }

  async #session({ source, ownKey }: SessionPlace): Promise<Session | null> {
    const sessions = await this.#shelf.read(source)
    return sessions.find(({ key }) => key === ownKey) ?? null
  }

  async #messages(place: SessionPlace): Promise<Message[] | null> {
    const session = await this.#session(place)
    if (session === null) return null
    return linkAgentCalls(priceMessages(session.messages, priceCall), place.subagents)
  }

  async #message(place: SessionPlace, messageKey: string): Promise<Message | null> {
    return (await this.#messages(place))?.find(({ key }) => key === messageKey) ?? null
  }
}

/** Only a file of this session is opened: its path comes from the scan, never from the question. */
function filePath({ source }: SessionPlace, path: string): string | null {
  if (source.kind === 'neighbours') return null
  const file = source.files.find((candidate) => candidate.path === path)
  return file === undefined ? null : join(file.home, file.path)
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
