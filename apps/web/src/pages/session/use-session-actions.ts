import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import { sessionBesideQuery } from '../../api/sessions.ts'
import { useActions } from '../../lib/actions/use-actions.ts'
import type { SessionView } from '../../lib/address/session-search.ts'
import { outline, stepThrough } from '../../lib/browser/appearance.ts'
import { say, sayError } from '../../lib/browser/say.ts'

interface Surroundings {
  session: SessionSummary
  openFind: () => undefined
  showView: (view: SessionView) => void
}

/** What can be done on the page of a session besides reading: its views, the find, and the ways out of it. */
export function useSessionActions({ session, openFind, showView }: Surroundings): void {
  const navigate = useNavigate()
  const client = useQueryClient()
  async function goBeside(side: 'later' | 'earlier') {
    const { pathname } = window.location
    const key = await client.fetchQuery(sessionBesideQuery(session, side))
    // gone elsewhere meanwhile, nobody wants to be led away
    if (window.location.pathname !== pathname) return
    if (key === null) say(`No ${side} session of this project`)
    else await navigate({ to: '/s/$key', params: { key } })
  }
  useActions({
    findHere: openFind,
    toggleOutline: () => void stepThrough(outline),
    showTimeline: () => void showView('timeline'),
    showContext: () => void showView('context'),
    laterSession: () => void goBeside('later').catch(sayError),
    earlierSession: () => void goBeside('earlier').catch(sayError),
    goProject: () => void navigate({ to: '/p/$project', params: { project: session.project.key } }),
  })
}
