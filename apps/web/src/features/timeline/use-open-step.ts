import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'

const route = getRouteApi('/s/$key')

/** The way from a step to what it was, in this session or in a sub-agent's. */
export function useOpenStep(sessionKey: string, jump: (messageKey: string, offset: number | null) => void) {
  const navigate = route.useNavigate()
  return useCallback(
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
}
