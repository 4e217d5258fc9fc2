import type { Message, Session } from 'gemini-sessions'
import type { SessionRecord } from '../../contract/session-record.ts'
import { type FieldPiece, fieldPieces } from '../../text/field-pieces.ts'
import type { KnownText } from './known-texts.ts'

/** One row of the index before it is written: the title of a session, or one of its messages. */
export interface SessionText {
  /** null for the title. */
  message: Message | null
  /** Milliseconds since 1970; where none is recorded, that of the message before. */
  timeMs: number
  /** Position in the session; the title stands behind the last message, as the newest. */
  place: number
  /** Left out where the same is known from before. */
  pieces: FieldPiece[]
  known: KnownText | null
}

/** Everything in a session that can be searched, title first. `find` tells what is known of a message already. */
export function sessionTexts(
  session: Session,
  record: SessionRecord,
  find: (message: Message) => KnownText | null,
): SessionText[] {
  const place = session.messages.length
  const texts: SessionText[] = [
    { message: null, timeMs: titleTime(record), place, pieces: titlePieces(record), known: null },
  ]
  let timeMs = Date.parse(session.startTime ?? '') || 0
  session.messages.forEach((message, place) => {
    timeMs = Date.parse(message.timestamp ?? '') || timeMs
    const known = find(message)
    const pieces = known === null ? fieldPieces(message) : []
    const isText = known !== null || pieces.length > 0 || hasFacts(message)
    if (isText) texts.push({ message, timeMs, place, pieces, known })
  })
  return texts
}

/** Without text of its own, but filters can ask for it: a call with its tokens or tools, a picture. Copies have nothing of their own. */
function hasFacts({ copyOf, usage, toolCalls, content }: Message): boolean {
  return (
    copyOf === null &&
    (usage !== null || toolCalls.length > 0 || content.some(({ kind }) => kind === 'image'))
  )
}

/**
 * The session's id is part of its title, so that a pasted id or its first part finds it. A title that is
 * the first prompt is not: it would be found a second time.
 */
export function titlePieces({ summary }: SessionRecord): FieldPiece[] {
  const title = summary.titleSource === 'prompt' ? '' : summary.title
  return [title, summary.sessionId]
    .filter((text) => text !== '')
    .map((text): FieldPiece => ({ field: 'title', text, toolName: null }))
}

function titleTime({ summary }: SessionRecord): number {
  return Date.parse(summary.endTime ?? summary.startTime ?? '') || 0
}
