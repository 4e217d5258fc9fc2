import { Known, learnValue, type RedactOptions } from '@gemini-dash/redact'
import type { Message, SessionSummary } from 'gemini-sessions'
import { learnMessage, type Redaction, redactOptions } from '../../../export/redact-message.ts'
import { ownNames } from '../../../redaction/own-names.ts'
import type { SessionPlace } from '../place/session-place.ts'
import type { OpenedSession } from './opened-session.ts'
import { feedMessages } from './walk-messages.ts'

interface RedactionAsked {
  /** null: it leaves as it is. */
  redaction: Redaction | null
  summary: SessionSummary
  /** Those that leave along with it. */
  agents: readonly { summary: SessionSummary; place: SessionPlace }[]
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
  const { redaction, agents } = asked
  if (redaction === null) return null
  const { keep: _, ...person } = redaction
  const who = JSON.stringify([person, agents.map(({ summary }) => summary.key)])
  const before = KNOWN.get(opened.messages)
  const known = before?.who === who ? before.known : learnSession(opened, asked, new Known(person))
  KNOWN.set(opened.messages, { who, known })
  return { ...redactOptions(redaction), known: await known }
}

/** The same for whoever uses this computer, also where a part of the session is copied. */
export async function ownOptions(opened: OpenedSession): Promise<RedactOptions> {
  const names = ownNames()
  const known = new Known(names)
  await learnMessages(opened, known)
  return { ...names, known }
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

function learnMessages({ messages, shelved }: OpenedSession, known: Known): Promise<void> {
  return feedMessages(
    messages,
    (batch) => shelved.restore(batch),
    (batch) => {
      for (const message of batch) learnMessage(known, message)
    },
  )
}
