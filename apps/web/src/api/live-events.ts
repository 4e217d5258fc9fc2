import type { LiveEvent } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import type { QueryClient } from '@tanstack/react-query'
import { ApiRequestError } from './api-request-error.ts'
import { connection } from './connection.ts'
import { createBatcher } from './create-batcher.ts'
import { fetchJson } from './fetch-json.ts'
import { HeldEvents } from './held-events.ts'
import { refreshLists, refreshSessions } from './refresh-changed.ts'
import { watchedSessions } from './watched-sessions.ts'

const SESSION_DELAY_MS = 20
const LIST_DELAY_MS = 250
const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 8_000

/**
 * Follows the server's events until the returned function is called. Survives a restart of the server. While the tab
 * is hidden nothing is asked again, but for sessions whose end the reader wants to hear of; on return everything once.
 */
export function followLiveEvents(client: QueryClient): () => void {
  let source: EventSource | undefined
  let retryTimer: number | undefined
  let retryDelayMs = FIRST_RETRY_MS
  let wasLost = false
  // Apart, so that a slow list never holds up an open conversation.
  const sessionBatch = createBatcher<LiveEvent>(SESSION_DELAY_MS, (events) => refreshSessions(client, events))
  const listBatch = createBatcher<LiveEvent>(LIST_DELAY_MS, (events) => refreshLists(client, events))

  function open() {
    source = new EventSource(apiPaths.events())
    source.onopen = () => {
      retryDelayMs = FIRST_RETRY_MS
      connection.set('connected')
      // Whatever was written meanwhile was announced to nobody.
      if (wasLost) void client.invalidateQueries()
      wasLost = false
    }
    source.onmessage = (message: MessageEvent<string>) => collect(JSON.parse(message.data) as LiveEvent)
    source.onerror = () => {
      source?.close()
      wasLost = true
      void reportLoss()
      retryTimer = window.setTimeout(open, retryDelayMs)
      retryDelayMs = Math.min(retryDelayMs * 2, LAST_RETRY_MS)
    }
  }

  const held = new HeldEvents()
  function collect(event: LiveEvent) {
    if (!document.hidden) refresh(event)
    else {
      held.add(event)
      if (event.sessionKey !== undefined && watchedSessions.has(event.sessionKey)) sessionBatch.add(event)
    }
  }

  function releaseHeld() {
    if (!document.hidden) for (const event of held.takeAll()) refresh(event)
  }

  function refresh(event: LiveEvent) {
    if (event.sessionKey !== undefined) sessionBatch.add(event)
    listBatch.add(event)
  }

  open()
  document.addEventListener('visibilitychange', releaseHeld)
  return () => {
    document.removeEventListener('visibilitychange', releaseHeld)
    source?.close()
    window.clearTimeout(retryTimer)
    sessionBatch.stop()
    listBatch.stop()
  }
}

/** An EventSource does not tell why it failed; an ordinary call does. */
async function reportLoss() {
  try {
    await fetchJson(apiPaths.health())
  } catch (error) {
    const isForbidden = error instanceof ApiRequestError && error.code === 'forbidden'
    connection.set(isForbidden ? 'forbidden' : 'lost')
  }
}
