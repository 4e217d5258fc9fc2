import type { BilledElsewhere, Message, Session } from '../model/message.ts'
import type { SessionSummary } from '../model/session-summary.ts'
import { shortKey } from './identity.ts'
import { isPrompt, messageText, spentMessages } from './messages.ts'

/** Characters of a `requestId`. */
export const REQUEST_ID_LENGTH = 12

/** UUIDs and other random ids: no two requests share one. */
const RANDOM_ID = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32})$/i
/** Prefix length: of large texts only the beginning is in memory. */
const TEXT_LENGTH = 200

/**
 * Computes the id of each request in a session, message by message in order; null: not a request, or nothing recorded to recognize it by.
 * Equal for two records of one request in any sessions: copies, forks and imports keep ids, times and tokens. A non-random id (`turn_1`)
 * proves that only with the same prompt and answer. Excludes the model for Antigravity CLI: its steps do not name it, and inherited steps
 * of a fork can lack the rows that do.
 */
class RequestIds {
  readonly #hasModels: boolean
  #prompt = ''

  constructor({ source }: Session) {
    this.#hasModels = source !== 'antigravity-cli'
  }

  of(message: Message): string | null {
    const { id, timestamp, model, usage } = message
    if (isPrompt(message)) this.#prompt = messageText(message).slice(0, TEXT_LENGTH)
    // Not only answers spend: Antigravity CLI has a request for the title of a conversation.
    if (message.copyOf !== null || usage === null || id === '') return null
    const { input, output, cached, thoughts, tool, total } = usage
    const facts = [
      id,
      timestamp,
      this.#hasModels ? model : null,
      input,
      output,
      cached,
      thoughts,
      tool,
      total,
    ]
    const texts = RANDOM_ID.test(id) ? [] : [this.#prompt, messageText(message).slice(0, TEXT_LENGTH)]
    return shortKey(JSON.stringify([...facts, ...texts]))
  }
}

/** The ids of all requests counted by a session, or by another one for it; one string, since there are many. */
export function requestIds(session: Session): string {
  const ids = new RequestIds(session)
  const own = spentMessages(session).flatMap((message) => ids.of(message) ?? [])
  return [...own, ...(session.billedElsewhere ?? []).flatMap(({ requests }) => requests)].join('')
}

/** The session with those of its requests that are counted for another one (contract rule 11) marked: they have no tokens here. */
export function billElsewhere(session: Session, elsewhere: readonly BilledElsewhere[]): Session {
  if (elsewhere.length === 0) return session
  const owners = new Map(
    elsewhere.flatMap(({ sessionKey, requests }) => requests.map((id) => [id, sessionKey])),
  )
  const ids = new RequestIds(session)
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

/** The session that counts most of its requests. */
export function copiedFrom({ billedElsewhere = [] }: Session): SessionSummary['copiedFrom'] {
  const [most] = [...billedElsewhere].sort((a, b) => b.requests.length - a.requests.length)
  return most === undefined ? null : { sessionKey: most.sessionKey, requests: most.requests.length }
}
