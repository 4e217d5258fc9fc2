import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { conversationSearch, type SessionView } from '../../lib/address/session-search.ts'

const route = getRouteApi('/s/$key')

/** `?view=…`: what is open beside the conversation. Where the reader is stays as it is; back from a message leads here again. */
export function useSessionView() {
  const { view, call } = route.useSearch()
  const navigate = route.useNavigate()
  const show = useCallback(
    (next: SessionView | undefined) =>
      void navigate({
        search: (search) => ({ ...search, view: next, call: undefined }),
        hash: true,
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      }),
    [navigate],
  )
  const choose = useCallback(
    (messageKey: string) =>
      void navigate({
        search: (search) => ({ ...search, call: messageKey }),
        hash: true,
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      }),
    [navigate],
  )
  const openMessage = useCallback(
    (messageKey: string) => void navigate({ search: conversationSearch, hash: `m-${messageKey}` }),
    [navigate],
  )
  return { view, show, call, choose, openMessage }
}
