import type {
  Comparison,
  ExportReview,
  ExportReviewQuery,
  FileHistory,
  FileHistoryQuery,
  FindResult,
  LeavingSessions,
  Resume,
  SessionDetail,
  Shell,
  Transcript,
  TranscriptQuery,
} from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { fromTurnColumns } from '@gemini-dash/api/turn-columns'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Timeline } from 'gemini-sessions'
import type { Copied } from '../../lib/browser/copy-text.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { timeZone } from '../../lib/figures/time-zone.ts'
import { fetchJson } from '../request/fetch-json.ts'

/** One session with its outline. `sessionRef` is a key, a sessionId or a unique prefix of one. */
export function sessionQuery(sessionRef: string) {
  return queryOptions({
    queryKey: ['session', sessionRef],
    queryFn: async ({ signal }): Promise<SessionDetail> => {
      const asked = apiPaths.session(sessionRef, { outline: 'columns' })
      const { turnColumns, ...detail } = await fetchJson<SessionDetail>(asked, signal)
      return turnColumns === undefined ? detail : { ...detail, outline: fromTurnColumns(turnColumns) }
    },
  })
}

/** Two sessions side by side, by keys or ids. */
export function comparisonQuery(a: string, b: string) {
  return queryOptions({
    queryKey: ['sessions', 'compare', a, b],
    queryFn: ({ signal }) => fetchJson<Comparison>(apiPaths.compare(a, b), signal),
  })
}

/** What all sessions did to one file, page by page. */
export function fileHistoryQuery(path: string, asked: Pick<Partial<FileHistoryQuery>, 'project' | 'show'>) {
  return infiniteQueryOptions({
    queryKey: ['files', path, asked],
    queryFn: ({ pageParam, signal }) =>
      fetchJson<FileHistory>(apiPaths.fileHistory(path, { ...asked, cursor: pageParam }), signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** Everything that a search finds in one session, in reading order. */
export function findQuery(sessionRef: string, q: string, mode: 'substring' | 'regex' | undefined) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'find', q, mode, timeZone()],
    queryFn: async ({ signal }) => {
      const hits: FindResult['hits'] = []
      // A pattern that takes long is searched for in parts, so that nothing else waits for it.
      for (let offset: number | null = 0; offset !== null; ) {
        const path = apiPaths.find(sessionRef, q, { mode, tz: timeZone(), offset: offset || undefined })
        const part: FindResult = await fetchJson<FindResult>(path, signal)
        hits.push(...part.hits)
        offset = part.partial?.nextOffset ?? null
      }
      return { hits }
    },
    enabled: q.trim() !== '',
    placeholderData: keepPreviousData,
  })
}

/** A session on one time axis; within `window` (milliseconds since its start) in more detail. */
export function timelineQuery(sessionRef: string, window: { from: number; to: number } | null) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'timeline', window],
    queryFn: ({ signal }) => fetchJson<Timeline>(apiPaths.timeline(sessionRef, window ?? {}), signal),
    placeholderData: keepPreviousData,
  })
}

/** A message, a turn or (neither named) the whole session as text, uncut, and what is to be said of it once it is copied. */
export async function fetchTranscript(sessionRef: string, query: TranscriptQuery): Promise<Copied> {
  const { text, redacted, secrets } = await fetchJson<Transcript>(apiPaths.transcript(sessionRef, query))
  if (secrets > 0) return { text, note: `it holds ${formatPlural(secrets, 'secret')}` }
  return { text, note: redacted === 0 ? null : `${formatPlural(redacted, 'place')} redacted` }
}

/** What is taken out of a session before it leaves. It holds secrets: kept only as long as somebody looks. */
export function exportReviewQuery(sessionRef: string, asked: Pick<ExportReviewQuery, 'format' | 'depth'>) {
  return queryOptions({
    queryKey: ['session', sessionRef, 'export-review', asked],
    queryFn: ({ signal }) => fetchJson<ExportReview>(apiPaths.exportReview(sessionRef, asked), signal),
    gcTime: 0,
  })
}

/** Which sessions leave together: what a search finds may be others when it is asked again. */
export function leavingSessionsQuery(which: Record<string, string | undefined>) {
  return queryOptions({
    queryKey: ['sessions', 'leaving', which],
    queryFn: ({ signal }) => fetchJson<LeavingSessions>(apiPaths.leavingSessions(which), signal),
    gcTime: 0,
  })
}

/** How Gemini CLI goes on with a session. Asked each time: folders, files and the installed version change unseen. */
export function resumeQuery(sessionRef: string, shell: Shell) {
  return queryOptions({
    queryKey: ['sessions', 'resume', sessionRef, shell],
    queryFn: ({ signal }) => fetchJson<Resume>(apiPaths.resume(sessionRef, { shell }), signal),
    gcTime: 0,
  })
}
