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
import { sayError } from '../lib/browser.ts'
import { ask, askOfSession, fetchJson, saidAtOnce } from './request.ts'
import type { SessionCriteria } from './sessions.ts'
import { putMarked } from './tab-state.ts'

/** Everything that the person said of sessions. */
export function marksQuery() {
  return queryOptions({
    queryKey: ['marks'],
    queryFn: ({ signal }) => ask('marks', {}, signal),
  })
}

type MessageMarks = Record<string, MessageMark>

/** What the person said of the messages of one session, by their keys. */
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

/** A message that the person marked, and where it stands. What it says hardly ever changes. */
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

/** What the person said of one message, and a way to say something of it. It shows at once, and is taken back where it could not be kept. */
export function useMessageMark(sessionRef: string, messageKey: string) {
  const client = useQueryClient()
  const { queryKey, ...query } = messageMarksQuery(sessionRef)
  const { data } = useQuery({
    ...query,
    queryKey,
    // a message's id may be called `constructor`
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

/** Until when the reader has seen a session; kept on without being told of, as nobody asked for it. */
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

/** Says something of a session. It shows at once, and is taken back where it could not be kept. All pages hear of it by an event. */
export function useMarkChange(session: SessionSummary) {
  const client = useQueryClient()
  return useMutation(
    saidAtOnce(client, {
      key: ['mark', session.key],
      send: (change: MarkChange) =>
        fetchJson<MarkAnswer>(apiPaths.mark(session.key), undefined, { method: 'PUT', body: change }),
      shown: session,
      // Which title stands where one's own is taken back, only the server knows.
      withSaid: ({ title, ...change }) => ({ ...session, mark: { ...NO_MARK, ...session.mark, ...change } }),
      put: (row) => putMarked(client, row),
      toStanding: ({ mark }, row) => ({ ...row, mark: mark && toRowMark(mark, row) }),
      onError: sayError,
    }),
  )
}

/** Of its messages a row knows how many are marked, which no change of the session touches. */
function toRowMark({ messages: _, ...said }: SessionMark, { mark }: SessionSummary): SessionSummary['mark'] {
  return { ...NO_MARK, ...mark, ...said }
}

/** A view that everybody has. */
export interface OwnView {
  name: string
  href: string
  /** The same as the API has it. */
  filter: SessionCriteria
}

/** There from the beginning. */
export const OWN_VIEWS: OwnView[] = [
  { name: 'Running', href: '/?has=live', filter: { has: 'live' } },
  { name: 'Failed', href: '/?has=errors', filter: { has: 'errors' } },
  { name: 'Starred', href: '/?starred=yes', filter: { starred: 'true' } },
]

/** The addresses that the person named. */
export function viewsQuery() {
  return queryOptions({
    queryKey: ['views'],
    queryFn: ({ signal }) => ask('views', {}, signal),
  })
}

/** Makes other views of those that there are now: another tab may have saved one before, or does so meanwhile. */
export function useViewsChange() {
  const client = useQueryClient()
  return useMutation({
    // one after the other: each goes on from what the one before it left
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
