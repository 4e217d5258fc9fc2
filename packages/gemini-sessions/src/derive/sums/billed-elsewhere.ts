import type { Message } from '../../model/message.ts'
import type { BilledElsewhere, Session } from '../../model/session.ts'
import type { SessionSummary } from '../../model/session-summary.ts'
import { shortKey } from '../identity/keys.ts'
import { isModelCall, isPrompt } from '../messages/message-kinds.ts'
import { messageText } from '../messages/message-text.ts'
import { spentMessages } from '../messages/spent-messages.ts'

/** Characters of a `requestId`. */
export const REQUEST_ID_LENGTH = 12

/** UUIDs and what else is drawn at random: no two requests share one. */
const RANDOM_ID = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32})$/i
/** Of a text: large ones are held by their beginnings. */
const TEXT_LENGTH = 200

/**
 * Tells the id of each request of a session, message by message in their order; null: it is no request, or nothing was recorded by
 * which it could be recognized. Equal for two records of one request, in whatever sessions they are: copies, forks and imports keep ids,
 * times and tokens. An id that is not random (`turn_1`) proves that only with the same prompt and the same answer.
 */
class RequestIds {
  #prompt = ''

  of(message: Message): string | null {
    const { id, timestamp, model, usage } = message
    if (isPrompt(message)) this.#prompt = messageText(message).slice(0, TEXT_LENGTH)
    if (!isModelCall(message) || usage === null || id === '') return null
    const { input, output, cached, thoughts, tool, total } = usage
    const facts = [id, timestamp, model, input, output, cached, thoughts, tool, total]
    const texts = RANDOM_ID.test(id) ? [] : [this.#prompt, messageText(message).slice(0, TEXT_LENGTH)]
    return shortKey(JSON.stringify([...facts, ...texts]))
  }
}

/** The ids of all requests that a session counts, or another one for it; one string, as there are many. */
export function requestIds(session: Session): string {
  const ids = new RequestIds()
  const own = spentMessages(session).flatMap((message) => ids.of(message) ?? [])
  return [...own, ...(session.billedElsewhere ?? []).flatMap(({ requests }) => requests)].join('')
}

/** The session with those of its requests that another one counts (contract rule 11): they have no tokens here. */
export function billElsewhere(session: Session, elsewhere: readonly BilledElsewhere[]): Session {
  if (elsewhere.length === 0) return session
  const owners = new Map(
    elsewhere.flatMap(({ sessionKey, requests }) => requests.map((id) => [id, sessionKey])),
  )
  const ids = new RequestIds()
  const found = new Map<string, string[]>()
  const messages = session.messages.map((message): Message => {
    const id = ids.of(message)
    const billedIn = id === null ? undefined : owners.get(id)
    if (id === null || billedIn === undefined) return message
    const requests = found.get(billedIn) ?? []
    requests.push(id)
    found.set(billedIn, requests)
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
