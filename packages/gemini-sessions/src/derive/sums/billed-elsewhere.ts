import type { Message } from '../../model/message.ts'
import type { BilledElsewhere, Session } from '../../model/session.ts'
import type { SessionSummary } from '../../model/session-summary.ts'
import { shortKey } from '../identity/keys.ts'
import { isModelCall } from '../messages/message-kinds.ts'
import { spentMessages } from '../messages/spent-messages.ts'

/** Characters of a `requestId`. */
export const REQUEST_ID_LENGTH = 12

/**
 * Equal for two records of one request, in whatever sessions they are: copies, forks and imports keep ids, times and tokens. null:
 * it is no request, or nothing was recorded by which it could be recognized.
 */
function requestId(message: Message): string | null {
  const { id, timestamp, model, usage } = message
  if (!isModelCall(message) || usage === null || id === '') return null
  const { input, output, cached, thoughts, tool, total } = usage
  return shortKey([id, timestamp, model, input, output, cached, thoughts, tool, total].join('\n'))
}

/** The ids of all requests that a session counts, or another one for it; one string, as there are many. */
export function requestIds(session: Session): string {
  const own = spentMessages(session).flatMap((message) => requestId(message) ?? [])
  return [...own, ...(session.billedElsewhere ?? []).flatMap(({ requests }) => requests)].join('')
}

/** The session with those of its requests that another one counts (contract rule 11): they have no tokens here. */
export function billElsewhere(session: Session, elsewhere: readonly BilledElsewhere[]): Session {
  const owners = new Map(
    elsewhere.flatMap(({ sessionKey, requests }) => requests.map((id) => [id, sessionKey])),
  )
  const found = new Map<string, string[]>()
  const messages = session.messages.map((message): Message => {
    const id = requestId(message)
    const billedIn = id === null ? undefined : owners.get(id)
    if (id === null || billedIn === undefined) return message
    found.set(billedIn, [...(found.get(billedIn) ?? []), id])
    return { ...message, usage: null, cost: null, billedIn }
  })
  if (found.size === 0) return session
  const billedElsewhere = [...found].map(([sessionKey, requests]) => ({ sessionKey, requests }))
  return { ...session, messages, billedElsewhere }
}

/** The session that counts most of them. */
export function copiedFrom({ billedElsewhere = [] }: Session): SessionSummary['copiedFrom'] {
  const [most] = [...billedElsewhere].sort((a, b) => b.requests.length - a.requests.length)
  return most === undefined ? null : { sessionKey: most.sessionKey, requests: most.requests.length }
}
