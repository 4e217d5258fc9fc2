import { useRouterState } from '@tanstack/react-router'
import { stopInSight } from '../features/conversation/list/stop-in-sight.ts'

/** Past the bar over every page, and on the page of a session past everything that stands above its messages. */
export function SkipLinks() {
  const isSession = useRouterState({ select: ({ location }) => location.pathname.startsWith('/s/') })
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      {isSession && (
        <button type="button" className="skip-link" onClick={goToConversation}>
          Skip to conversation
        </button>
      )}
    </>
  )
}

/** To the message that is being read. Where none is drawn, as beside the context of a session, to the content. */
function goToConversation(): void {
  const stop = stopInSight() ?? document.getElementById('main')
  stop?.focus({ preventScroll: true })
  stop?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
}
