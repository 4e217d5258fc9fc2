import type {
  MarkAnswer,
  MarkChange,
  MarkList,
  MessageMark,
  MessageMarkChange,
  MessagePage,
  ViewList,
} from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SessionSummary } from 'gemini-sessions'
import { say } from '../lib/browser/say.ts'
import { putMarked } from './live/mark-changes.ts'
import { fetchJson } from './request/fetch-json.ts'

/** Everything that the person said of sessions. */
export function marksQuery() {
  return queryOptions({
    queryKey: ['marks'],
    queryFn: ({ signal }) => fetchJson<MarkList>(apiPaths.marks(), signal),
  })
}

type MessageMarks = Record<string, MessageMark>

/** What the person said of the messages of one session, by their keys. */
export function messageMarksQuery(sessionRef: string) {
  return queryOptions({
    queryKey: ['marks', sessionRef],
    queryFn: async ({ signal }): Promise<MessageMarks> => {
      const { marks } = await fetchJson<MarkList>(apiPaths.marks({ session: sessionRef }), signal)
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
      const asked = apiPaths.messages(sessionRef, { around: messageKey, limit: 1 })
      const { messages, offset } = await fetchJson<MessagePage>(asked, signal)
      const [message] = messages
      if (message?.key !== messageKey) throw new Error('The message is not in the session any more.')
      return { message, offset }
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
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
  const put = (said: MessageMark) =>
    client.setQueryData<MessageMarks>(queryKey, (marks) => ({ ...marks, [messageKey]: said }))
  const change = useMutation({
    mutationFn: (said: MessageMarkChange) =>
      fetchJson<MarkAnswer>(apiPaths.messageMark(sessionRef, messageKey), undefined, {
        method: 'PUT',
        body: said,
      }),
    onMutate: (said) => {
      put({ ...mark, ...said })
      return mark
    },
    onError: (error, _said, before) => {
      if (before) put(before)
      say(error.message)
    },
  })
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
  return useMutation({
    mutationFn: (change: MarkChange) =>
      fetchJson<MarkAnswer>(apiPaths.mark(session.key), undefined, { method: 'PUT', body: change }),
    onMutate: ({ title, ...change }) => {
      // Which title stands where one's own is taken back, only the server knows.
      putMarked(client, { ...session, mark: { ...NO_MARK, ...session.mark, ...change } })
      return session
    },
    onError: (error, _change, before) => {
      if (before) putMarked(client, before)
      say(error.message)
    },
  })
}

/** There from the beginning. */
export const OWN_VIEWS: ViewList['views'] = [
  { name: 'Starred', href: '/?starred=yes' },
  { name: 'Failed this week', href: '/?range=7d&has=errors' },
]

/** The addresses that the person named. */
export function viewsQuery() {
  return queryOptions({
    queryKey: ['views'],
    queryFn: ({ signal }) => fetchJson<ViewList>(apiPaths.views(), signal),
  })
}

/** Makes other views of those that there are now: another tab may have saved one meanwhile. */
export function useViewsChange() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (toViews: (views: ViewList['views']) => ViewList['views']) => {
      const { views } = await client.fetchQuery({ ...viewsQuery(), staleTime: 0 })
      return fetchJson<ViewList>(apiPaths.views(), undefined, {
        method: 'PUT',
        body: { views: toViews(views) },
      })
    },
    onSuccess: (list) => client.setQueryData(viewsQuery().queryKey, list),
  })
}
