import { Command } from '../../ui/controls/command.tsx'
import { MessagePage } from '../../ui/states/message-page.tsx'

/** This browser has no session cookie, or it has run out. */
export function ForbiddenPage() {
  return (
    <MessagePage
      title="This browser is not let in yet"
      lead="Your sessions are shown only to browsers that came through a one-time link from your own terminal. Ask for a new link and open it here."
    >
      <Command line="npx gemini-dash url" />
    </MessagePage>
  )
}
