import type { MessagePage } from '@gemini-dash/api'
import { priceCall } from '@gemini-dash/pricing'
import { buildOutline, linkAgentCalls, linkTodoLists, priceMessages, type Session } from 'gemini-sessions'
import { readSessionBeginning } from 'gemini-sessions/node'
import { cutForWire } from '../../messages/cut-for-wire.ts'
import { type Written, write } from '../../messages/written.ts'
import type { SessionPlace } from '../place/session-place.ts'

/** What the reader tells of a session's beginning; its row stands in the catalog. */
export type BeginningParts = Omit<MessagePage, 'session' | 'state'>

/** Rarely less than ten messages; the second where a prompt carries files. */
const LENGTHS = [1024 * 1024, 8 * 1024 * 1024]
/** More than a window shows. */
const MOST_MESSAGES = 40
const FEW_MESSAGES = 10

/** The first messages of a long session, before it is read: as its file tells them, and nothing is known of what follows. */
export function makeBeginning(place: SessionPlace): Written<BeginningParts> | null {
  const session = readBeginning(place)
  if (session === null) return null
  const prices = place.source.prices
  // a model's message is recorded again when its tools have answered: of the last one that may still follow
  const settled = session.messages.slice(0, -1)
  const priced = priceMessages(settled, (call) => priceCall(call, prices))
  const messages = linkAgentCalls(priced, place.subagents)
  const shown = messages.slice(0, MOST_MESSAGES)
  // cut here, an older file looks like a damaged one, whose figures count for nothing
  const { turns } = buildOutline({ ...session, files: [], messages })
  return write<BeginningParts>({
    messages: linkTodoLists(messages, shown).map((message) => cutForWire(message, place.shownKey)),
    offset: 0,
    total: null,
    nextOffset: null,
    partial: true,
    // the last one goes on in what is not read
    outline: turns.slice(0, -1).filter(({ firstOffset }) => firstOffset < shown.length),
  })
}

/** null: a group of several files may say of its first messages what only all of them tell. */
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
