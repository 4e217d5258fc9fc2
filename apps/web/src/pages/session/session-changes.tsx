import type { SessionSummary } from 'gemini-sessions'
import { Suspense, useState } from 'react'
import { ChangeList } from '../../features/session-changes.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'

const FileHistoryDialog = lazyDialog(() => import('../../features/file-history-dialog.tsx'))

interface Props {
  sessionRef: string
  session: SessionSummary
}

/** What a session changed, and the history of each file in all sessions. */
export default function SessionChangesView({ sessionRef, session }: Props) {
  const [path, setPath] = useState<string | null>(null)
  return (
    <>
      <ChangeList sessionRef={sessionRef} session={session} onHistory={setPath} />
      {path !== null && (
        <Suspense>
          <FileHistoryDialog path={path} projectKey={session.project.key} onClose={() => setPath(null)} />
        </Suspense>
      )}
    </>
  )
}
