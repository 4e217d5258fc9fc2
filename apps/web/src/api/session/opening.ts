import type { MessagePage, SessionDetail } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Message } from 'gemini-sessions'
import { fetchJson } from '../request/fetch-json.ts'
import { type MessageWindow, messagesQuery } from './messages.ts'
import { sessionQuery } from './session.ts'

/** What the page of a session is drawn of. */
export interface ShownDetail extends SessionDetail {
  /**
   * Its first messages, while only these have been read: any of them may still be taken back, and nothing else that
   * stands here tells of the whole.
   */
  beginning?: readonly Message[]
}

/** The first messages of a session that is still being read; null once there is something to draw of the whole. */
export function openingQuery(client: QueryClient, sessionRef: string) {
  return queryOptions<ShownDetail | null>({
    queryKey: ['opening', sessionRef],
    queryFn: () => client.ensureQueryData(sessionQuery(sessionRef)).then(nothing, nothing),
    staleTime: 'static',
  })
}

/** Asks for the whole session and its first messages; what of a long one can be had sooner is drawn until then. */
export function beginWithFirstPage(client: QueryClient, sessionRef: string, window: MessageWindow): void {
  const first = messagesQuery(sessionRef, window)
  const opening = openingQuery(client, sessionRef)
  void client.prefetchQuery({
    ...opening,
    queryFn: () =>
      new Promise<ShownDetail | null>((resolve) => {
        void client.prefetchQuery({
          ...first,
          queryFn: async ({ signal }) => {
            const asked = apiPaths.messages(sessionRef, { ...window, partial: 'allow' })
            const page = await fetchJson<MessagePage>(asked, signal)
            if (!page.partial) return page
            resolve(toBeginning(page))
            return fetchJson<MessagePage>(apiPaths.messages(sessionRef, window), signal)
          },
        })
        void client.prefetchQuery(sessionQuery(sessionRef)).then(() => resolve(null))
      }),
  })
}

function nothing(): null {
  return null
}

/** Of the whole nothing is known: what stands for it here is not drawn. */
function toBeginning({ session, outline, messages, state }: MessagePage): ShownDetail | null {
  if (session === undefined || outline === undefined) return null
  return {
    schemaVersion: 1,
    session,
    state,
    outline,
    beginning: messages,
    messageTotal: messages.length,
    segments: [],
    compressions: [],
    drawnKeys: null,
    resumedKeys: [],
    buriedBy: null,
    branches: [],
    activity: { state: 'silent', since: null },
    figures: {
      savedByCache: { usd: null, unpricedCalls: 0 },
      superseded: [],
      wallMs: 0,
      activeMs: 0,
      failedCalls: null,
    },
    related: [],
  }
}
