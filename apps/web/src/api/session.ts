import type {
  ExportReviewQuery,
  MessageFilter,
  MessagePage,
  SessionDetail,
  Shell,
  TranscriptQuery,
} from '@gemini-dash/api'
import { fromTurnColumns } from '@gemini-dash/api/turn-columns'
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Message } from 'gemini-sessions'
import type { Copied } from '../lib/copy.ts'
import { timeZone } from '../lib/dates.ts'
import { formatPlural } from '../lib/figures.ts'
import { ask, askOfSession } from './request.ts'

/** One session with its outline. `sessionRef` is a key, a sessionId or a unique prefix of one. */
export function sessionQuery(sessionRef: string) {
  return queryOptions({
    queryKey: ['session', sessionRef],
    queryFn: async ({ signal }): Promise<SessionDetail> => {
      const asked = { key: sessionRef, outline: 'columns' }
      const { turnColumns, ...detail } = await ask('sessions/:key', asked, signal)
      return turnColumns === undefined ? detail : { ...detail, outline: fromTurnColumns(turnColumns) }
    },
  })
}

/** All matches in one session, in reading order. */
export function findQuery(sessionRef: string, q: string, mode: 'substring' | 'regex' | undefined) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'find', q, mode, timeZone()],
    queryFn: async ({ signal }) => {
      const ask = (offset?: number) =>
        askOfSession('find', sessionRef, { q, mode, tz: timeZone(), offset }, signal)
      let part = await ask()
      const { hits } = part
      // Each part takes at most ten seconds; further typing or closing the box aborts the search.
      while (part.partial?.nextOffset != null) {
        part = await ask(part.partial.nextOffset)
        hits.push(...part.hits)
      }
      return { ...part, hits, total: hits.length }
    },
    enabled: q.trim() !== '',
    placeholderData: keepPreviousData,
  })
}

/** A message, a turn or (with neither named) the whole session as untruncated text, with a note to show once it is copied. */
export async function fetchTranscript(sessionRef: string, query: TranscriptQuery): Promise<Copied> {
  const { text, redacted, secrets } = await askOfSession('transcript', sessionRef, query)
  if (secrets > 0) return { text, note: `it holds ${formatPlural(secrets, 'secret')}` }
  return { text, note: redacted === 0 ? null : `${formatPlural(redacted, 'place')} redacted` }
}

/** What is redacted before a session is exported. Contains secrets: cached only while it is shown. */
export function exportReviewQuery(sessionRef: string, asked: Pick<ExportReviewQuery, 'format' | 'depth'>) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'export-review', asked],
    queryFn: ({ signal }) => ask('sessions/:key/export/review', { key: sessionRef, ...asked }, signal),
    gcTime: 0,
  })
}

/** Which sessions are exported together: repeating a search may return others. */
export function sessionsToExportQuery(which: Record<string, string | undefined>) {
  return queryOptions({
    queryKey: ['sessions', 'exports', which],
    queryFn: ({ signal }) => ask('export/sessions', which, signal),
    gcTime: 0,
  })
}

/**
 * How to resume a session in Gemini CLI. Always refetched: folders, files and the installed version change without notice.
 * `at`: the turn before which a new session branches off.
 */
export function resumeQuery(sessionRef: string, shell: Shell, at: number | null = null) {
  return queryOptions({
    queryKey: ['sessions', 'resume', sessionRef, shell, at],
    queryFn: ({ signal }) =>
      ask('sessions/:key/resume', { key: sessionRef, shell, at: at ?? undefined }, signal),
    gcTime: 0,
  })
}

type MessageWindow = {
  offset?: number
  limit?: number
  around?: string
  show?: MessageFilter | undefined
}

/** A window of a session's messages, in display order. */
export function messagesQuery(sessionRef: string, window: MessageWindow) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'messages', window],
    queryFn: ({ signal }) => askOfSession('messages', sessionRef, window, signal),
  })
}

/** What a session page is drawn from. */
export interface ShownDetail extends SessionDetail {
  /**
   * The first messages while only these have been read: any of them may still be rewound, and nothing else here describes the whole
   * session.
   */
  beginning?: readonly Message[]
}

/** The first messages of a session that is still being read; null once the whole session is available. */
export function openingQuery(client: QueryClient, sessionRef: string) {
  return queryOptions<ShownDetail | null>({
    queryKey: ['opening', sessionRef],
    queryFn: () => client.ensureQueryData(sessionQuery(sessionRef)).then(nothing, nothing),
    staleTime: 'static',
  })
}

/** Requests the whole session and its first messages; until the whole arrives, the first messages of a long session are shown. */
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
            const page = await askOfSession('messages', sessionRef, { ...window, partial: 'allow' }, signal)
            if (!page.partial) return page
            resolve(toBeginning(page))
            return askOfSession('messages', sessionRef, window, signal)
          },
        })
        void client.prefetchQuery(sessionQuery(sessionRef)).then(() => resolve(null))
      }),
  })
}

function nothing(): null {
  return null
}

/** The whole session is unknown: the placeholder values here are not drawn. */
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
