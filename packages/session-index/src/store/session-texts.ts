import type { Message, SessionSummary } from 'gemini-sessions'
import { type FieldPiece, fieldPieces } from '../text.ts'
import type { SessionRecordBuilder } from '../to-session-record.ts'
import type { KnownText } from './known-texts.ts'
import type { SessionToWrite } from './plan-session.ts'
import type { ShardStore } from './shard-store.ts'

/** The title of a session, or one of its messages, before writing. */
export interface SessionText {
  /** null for the title. */
  message: Message | null
  /** Milliseconds since 1970; if not recorded, that of the previous message. */
  timeMs: number
  /** Position in the session; the title follows the last message, as the newest. */
  place: number
  /** Left out if known from before. */
  pieces: FieldPiece[]
  known: KnownText | null
  /** false: it has nothing to search for, like a copy. */
  isFound: boolean
}

/** Number of messages processed at a time, with all their texts in memory. */
const BATCH_MESSAGES = 100

/**
 * The title of a session and all its messages, batch by batch. `find` returns what is already known of a message. All messages are passed
 * to the builder of the session's record.
 */
export async function* sessionTexts(
  { session, whole }: Pick<SessionToWrite, 'session' | 'whole'>,
  record: Pick<SessionRecordBuilder, 'summary' | 'add'>,
  find: (message: Message) => KnownText | null,
): AsyncGenerator<SessionText[], void, undefined> {
  const { messages } = session
  const { summary } = record
  yield [
    {
      message: null,
      timeMs: titleTime(summary),
      place: messages.length,
      pieces: titlePieces({ summary }),
      known: null,
      isFound: true,
    },
  ]
  let timeMs = Date.parse(session.startTime ?? '') || 0
  let place = 0
  for await (const batch of wholeMessages({ session, whole })) {
    record.add(batch)
    const texts: SessionText[] = []
    for (const message of batch) {
      timeMs = Date.parse(message.timestamp ?? '') || timeMs
      const known = find(message)
      const pieces = known === null ? fieldPieces(message) : []
      const isFound = known !== null || pieces.length > 0 || hasFacts(message)
      texts.push({ message, timeMs, place, pieces, known, isFound })
      place += 1
    }
    yield texts
  }
}

/** All messages in order with all their texts, in batches. */
export async function* wholeMessages({
  session: { messages },
  whole,
}: Pick<SessionToWrite, 'session' | 'whole'>): AsyncGenerator<Message[], void, undefined> {
  for (let first = 0; first < messages.length; first += BATCH_MESSAGES) {
    const batch = messages.slice(first, first + BATCH_MESSAGES)
    yield whole === null ? batch : await whole(batch)
  }
}

/** Without text, but relevant for filters: a request with its tokens or tools, an image. Copies have nothing of their own. */
function hasFacts({ copyOf, usage, toolCalls, content }: Message): boolean {
  return (
    copyOf === null &&
    (usage !== null || toolCalls.length > 0 || content.some(({ kind }) => kind === 'image'))
  )
}

/**
 * The session's id is part of its title, so that a pasted id or its first part finds it. A title that is the first prompt is left out: it
 * would be found twice.
 */
export function titlePieces({ summary }: { summary: SessionSummary }): FieldPiece[] {
  const title = summary.titleSource === 'prompt' ? '' : summary.title
  return [title, summary.sessionId]
    .filter((text) => text !== '')
    .map((text): FieldPiece => ({ field: 'title', text, toolName: null }))
}

/** The same for a stored session. */
export function storedTitlePieces(store: ShardStore, number: number): FieldPiece[] {
  const known = store.titles.get(number)
  if (known !== undefined) return known
  const record = store.record(number)
  const pieces = record === null ? [] : titlePieces(record)
  store.titles.set(number, pieces)
  return pieces
}

function titleTime(summary: SessionSummary): number {
  return Date.parse(summary.endTime ?? summary.startTime ?? '') || 0
}
