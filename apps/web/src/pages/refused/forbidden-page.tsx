import { ShellCommand } from '../../ui/controls/shell-command.tsx'
import { NoticePage } from '../../ui/states/notice-page.tsx'

/** This browser has no session cookie, or it has run out. */
export function ForbiddenPage() {
  return (
    <NoticePage
      title="This browser is not let in yet"
      lead="Your sessions are shown only to browsers that came through a one-time link from your own terminal. Ask for a new link and open it here."
    >
      <ShellCommand line="npx gemini-dash url" />
    </NoticePage>
  )
}
