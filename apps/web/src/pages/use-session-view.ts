import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { SessionView } from '../lib/session-search.ts'

const route = getRouteApi('/s/$key')

/** `?view=…`: what is open beside the conversation. Where the reader is stays as it is; back from a message leads here again. */
export function useSessionView() {
  const { view } = route.useSearch()
  const navigate = route.useNavigate()
  const show = useCallback(
    (next: SessionView | undefined) =>
      void navigate({
        search: (search) => ({ ...search, view: next }),
        hash: true,
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      }),
    [navigate],
  )
  const openMessage = useCallback(
    (messageKey: string) =>
      void navigate({
        search: (search) => ({ ...search, view: undefined, show: undefined, hit: undefined }),
        hash: `m-${messageKey}`,
      }),
    [navigate],
  )
  return { view, show, openMessage }
}
