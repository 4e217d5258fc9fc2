import type { LiveEvent } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import type { QueryClient } from '@tanstack/react-query'
import { ApiRequestError } from './api-request-error.ts'
import { connection } from './connection.ts'
import { fetchJson } from './fetch-json.ts'
import { invalidateChanged } from './invalidate-changed.ts'

/** A burst of writes is one refresh. */
const BATCH_DELAY_MS = 100
const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 8_000

/** Follows the server's events until the returned function is called. Survives a restart of the server. */
export function followLiveEvents(client: QueryClient): () => void {
  let source: EventSource | undefined
  let batch: LiveEvent[] = []
  let batchTimer: number | undefined
  let retryTimer: number | undefined
  let retryDelayMs = FIRST_RETRY_MS
  let wasLost = false

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

  function collect(event: LiveEvent) {
    batch.push(event)
    batchTimer ??= window.setTimeout(() => {
      batchTimer = undefined
      invalidateChanged(client, batch.splice(0))
    }, BATCH_DELAY_MS)
  }

  open()
  return () => {
    source?.close()
    window.clearTimeout(batchTimer)
    window.clearTimeout(retryTimer)
    batch = []
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
