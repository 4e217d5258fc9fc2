import type { LiveEvent } from '@gemini-dash/api'
import type { QueryClient } from '@tanstack/react-query'
import { listen } from '../events/listen.ts'
import type { Told } from '../events/told.ts'
import { changePosition } from '../request/change-position.ts'
import { connection } from '../request/connection.ts'
import { askAgain } from './ask-again.ts'
import { createBatcher } from './create-batcher.ts'
import { putMarked } from './mark-changes.ts'
import { pageBuild } from './page-build.ts'
import { type ListNews, refreshLists, refreshSessions } from './refresh-changed.ts'
import { RowChanges } from './row-changes.ts'

/** Sessions that a hidden tab goes on reading, as its reader wants to be told when they end. By number of watchers. */
class WatchedSessions {
  readonly #watchers = new Map<string, number>()

  has(sessionKey: string): boolean {
    return this.#watchers.has(sessionKey)
  }

  keys(): string[] {
    return [...this.#watchers.keys()]
  }

  /** Until the returned function is called. */
  watch(sessionKey: string): () => void {
    this.#watchers.set(sessionKey, (this.#watchers.get(sessionKey) ?? 0) + 1)
    return () => {
      const left = (this.#watchers.get(sessionKey) ?? 1) - 1
      if (left > 0) this.#watchers.set(sessionKey, left)
      else this.#watchers.delete(sessionKey)
    }
  }
}

export const watchedSessions = new WatchedSessions()

const SESSION_DELAY_MS = 20
const LIST_DELAY_MS = 250

/**
 * Follows the server's events. Survives a restart of the server. While the tab is hidden nothing is asked again, but for
 * sessions whose end the reader wants to hear of; on return everything once.
 */
export function followLiveEvents(client: QueryClient): void {
  // Apart, so that a slow list never holds up an open conversation.
  const sessionBatch = createBatcher<LiveEvent>(SESSION_DELAY_MS, (events) => refreshSessions(client, events))
  const listBatch = createBatcher<ListNews>(LIST_DELAY_MS, (news) => refreshLists(client, news))
  const rows = new RowChanges(client)
  const held = new HeldEvents()

  function hear(told: Told) {
    if (told.kind === 'loss') connection.set(told.loss)
    else if (told.kind === 'event') {
      if (changePosition.heard(told.at)) collect(told.at, told.event)
    } else if (told.kind === 'answers') {
      connection.found()
      catchUp()
    } else {
      const wasForbidden = connection.get() === 'forbidden'
      pageBuild.serverHas(told.page)
      connection.found()
      changePosition.opened(told.at)
      // Some of it was refused, though nothing has changed since.
      if (wasForbidden) catchUp()
      else askFailedAgain()
    }
  }

  function collect(at: number, event: LiveEvent) {
    if (event.kind === 'marked' && event.row !== undefined) {
      // An answer that is on its way may have been made before.
      rows.miss(at)
      return putMarked(client, event.row)
    }
    if (!document.hidden) return refresh(event, rows.take(at, event))
    held.add(event)
    rows.miss(at)
    if (event.sessionKey !== undefined && watchedSessions.has(event.sessionKey)) sessionBatch.add(event)
  }

  /** What was announced while nobody listened is not known, so everything that is shown is asked again. */
  function catchUp() {
    if (!document.hidden) return void askAgain(client)
    held.missSome()
    for (const sessionKey of watchedSessions.keys()) sessionBatch.add({ kind: 'changed', sessionKey })
  }

  /** It may have been away before anything was heard of it at all. */
  function askFailedAgain() {
    void client.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
  }

  function releaseHeld() {
    if (document.hidden) return
    const { events, areComplete } = held.takeAll()
    if (!areComplete) void askAgain(client)
    else for (const event of events) refresh(event, null)
  }

  function refresh(event: LiveEvent, unsure: ReadonlySet<string> | null) {
    if (event.sessionKey !== undefined) sessionBatch.add(event)
    listBatch.add({ event, unsure })
  }

  changePosition.whenMissed(catchUp)
  document.addEventListener('visibilitychange', releaseHeld)
  const events = listen(hear)
  // A call was refused, which an open stream knows nothing of.
  connection.subscribe(() => {
    if (connection.get() === 'forbidden') events.refused()
  })
}

/** Events of the time when nobody looks: of each kind and session only the last, in their order. */
export class HeldEvents {
  readonly #events = new Map<string, LiveEvent>()
  #areComplete = true

  add(event: LiveEvent): void {
    const subject = event.sessionKey === undefined ? event.kind : `session ${event.sessionKey}`
    this.#events.delete(subject)
    this.#events.set(subject, event)
  }

  /** Something else was announced, and nobody knows what. */
  missSome(): void {
    this.#areComplete = false
  }

  takeAll(): { events: LiveEvent[]; areComplete: boolean } {
    const taken = { events: [...this.#events.values()], areComplete: this.#areComplete }
    this.#events.clear()
    this.#areComplete = true
    return taken
  }
}
