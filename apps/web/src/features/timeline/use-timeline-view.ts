import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'

const route = getRouteApi('/s/$key')

/** `?view=timeline`, and the way from a step to what it was, in this session or in a sub-agent's. */
export function useTimelineView(
  sessionKey: string,
  jump: (messageKey: string, offset: number | null) => void,
) {
  const { view } = route.useSearch()
  const navigate = route.useNavigate()
  const toggle = useCallback(
    (isOpen: boolean) =>
      void navigate({
        search: (search) => ({ ...search, view: isOpen ? 'timeline' : undefined }),
        hash: true,
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      }),
    [navigate],
  )
  const open = useCallback(
    (ofSession: string, messageKey: string, offset: number) => {
      if (ofSession === sessionKey) jump(messageKey, offset)
      else
        void navigate({
          to: '/s/$key',
          params: { key: ofSession },
          search: { view: 'timeline' },
          hash: `m-${messageKey}`,
        })
    },
    [navigate, sessionKey, jump],
  )
  return { isOpen: view === 'timeline', toggle, open }
}
