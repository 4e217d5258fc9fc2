import type {
  MarkAnswer,
  MarkChange,
  MessageMark,
  MessageMarkChange,
  SessionMark,
  ViewList,
} from '@gemini-dash/api'
import { apiPaths, questionPath } from '@gemini-dash/api/paths'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SessionSummary } from 'gemini-sessions'
import { sayError } from '../lib/copy.ts'
import { ask, askOfSession, fetchJson, saidAtOnce } from './request.ts'
import type { SessionCriteria } from './sessions.ts'
import { putMarked } from './tab-state.ts'

/** All stars, notes and tags of sessions. */
export function marksQuery() {
  return queryOptions({
    queryKey: ['marks'],
    queryFn: ({ signal }) => ask('marks', {}, signal),
  })
}

type MessageMarks = Record<string, MessageMark>

/** Stars and notes of the messages of one session, by message key. */
export function messageMarksQuery(sessionRef: string) {
  return queryOptions({
    queryKey: ['marks', sessionRef],
    queryFn: async ({ signal }): Promise<MessageMarks> => {
      const { marks } = await ask('marks', { session: sessionRef }, signal)
      return Object.values(marks)[0]?.messages ?? {}
    },
    enabled: sessionRef !== '',
  })
}

/** A marked message and its position. Its content rarely changes. */
export function markedMessageQuery(sessionRef: string, messageKey: string) {
  return queryOptions({
    queryKey: ['marked-message', sessionRef, messageKey],
    queryFn: async ({ signal }) => {
      const asked = { around: messageKey, limit: 1 }
      const { messages, offset } = await askOfSession('messages', sessionRef, asked, signal)
      const [message] = messages
      if (message?.key !== messageKey) throw new Error('The message is not in the session any more.')
      return { message, offset }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

const NO_MESSAGE_MARK: MessageMark = { star: false, note: '' }

/** The mark of one message and a function to change it. Updates optimistically and rolls back on failure. */
export function useMessageMark(sessionRef: string, messageKey: string) {
  const client = useQueryClient()
  const { queryKey, ...query } = messageMarksQuery(sessionRef)
  const { data } = useQuery({
    ...query,
    queryKey,
    // a message id may be `constructor`
    select: (marks) => (Object.hasOwn(marks, messageKey) ? marks[messageKey] : undefined),
  })
  const mark = data ?? NO_MESSAGE_MARK
  const change = useMutation(
    saidAtOnce(client, {
      key: ['message-mark', sessionRef, messageKey],
      send: (said: MessageMarkChange) =>
        fetchJson<MarkAnswer>(apiPaths.messageMark(sessionRef, messageKey), undefined, {
          method: 'PUT',
          body: said,
        }),
      shown: mark,
      withSaid: (said) => ({ ...mark, ...said }),
      put: (shown) =>
        client.setQueryData<MessageMarks>(queryKey, (marks) => ({ ...marks, [messageKey]: shown })),
      toStanding: (answer) => answer.mark?.messages[messageKey] ?? NO_MESSAGE_MARK,
      onError: sayError,
    }),
  )
  return { mark, change }
}

/** Records until when the reader has seen a session. Failures are ignored, as nobody asked for it. */
export function tellSeen(sessionKey: string, seen: string): void {
  const sent = { method: 'PUT', body: { seen }, outlivesPage: true } as const
  fetchJson<MarkAnswer>(apiPaths.mark(sessionKey), undefined, sent).catch(() => undefined)
}

const NO_MARK = {
  star: false,
  note: '',
  tags: [],
  title: null,
  seen: null,
  messages: { starred: 0, noted: 0 },
}

/** Changes stars, notes and tags of a session. Updates optimistically and rolls back on failure. An event notifies all pages. */
export function useMarkChange(session: SessionSummary) {
  const client = useQueryClient()
  return useMutation(
    saidAtOnce(client, {
      key: ['mark', session.key],
      send: (change: MarkChange) =>
        fetchJson<MarkAnswer>(apiPaths.mark(session.key), undefined, { method: 'PUT', body: change }),
      shown: session,
      // Only the server knows which title replaces a removed custom title.
      withSaid: ({ title, ...change }) => ({ ...session, mark: { ...NO_MARK, ...session.mark, ...change } }),
      put: (row) => putMarked(client, row),
      toStanding: ({ mark }, row) => ({ ...row, mark: mark && toRowMark(mark, row) }),
      onError: sayError,
    }),
  )
}

/** A row also counts its marked messages, which a change of the session does not affect. */
function toRowMark({ messages: _, ...said }: SessionMark, { mark }: SessionSummary): SessionSummary['mark'] {
  return { ...NO_MARK, ...mark, ...said }
}

/** A built-in view. */
export interface OwnView {
  name: string
  href: string
  /** The same filter in API form. */
  filter: SessionCriteria
}

/** Built-in views. */
export const OWN_VIEWS: OwnView[] = [
  { name: 'Running', href: '/?has=live', filter: { has: 'live' } },
  { name: 'Failed', href: '/?has=errors', filter: { has: 'errors' } },
  { name: 'Starred', href: '/?starred=yes', filter: { starred: 'true' } },
]

/** The saved views. */
export function viewsQuery() {
  return queryOptions({
    queryKey: ['views'],
    queryFn: ({ signal }) => ask('views', {}, signal),
  })
}

/** Edits the current list of views: another tab may change it at any time. */
export function useViewsChange() {
  const client = useQueryClient()
  return useMutation({
    // sequential: each change builds on the result of the previous one
    scope: { id: 'views' },
    mutationFn: async (toViews: (views: ViewList['views']) => ViewList['views']) => {
      const { views } = await client.fetchQuery({ ...viewsQuery(), staleTime: 0 })
      return fetchJson<ViewList>(questionPath('views'), undefined, {
        method: 'PUT',
        body: { views: toViews(views), seen: views.map(({ name }) => name) },
      })
    },
    onSuccess: (list) => client.setQueryData(viewsQuery().queryKey, list),
  })
}
