import { RotateCw } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { pageBuild } from '../../api/live/page-build.ts'
import { connection } from '../../api/request/connection.ts'
import { Button } from '../buttons/button.tsx'
import { Icon } from '../signs/icon.tsx'
import { Failed } from '../states/failed.tsx'
import { Notice } from '../states/notice.tsx'

/** In the place of a part that could not be drawn, with what helps: a reload, a sign-in, or another try. */
export function PartFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isOutdated = useSyncExternalStore(pageBuild.subscribe, pageBuild.isOutdated)
  const state = useSyncExternalStore(connection.subscribe, connection.get)
  if (state === 'forbidden') {
    return (
      <Notice tone="warning">
        This part was not loaded before this browser was signed out. It appears by itself once you are signed
        in again.
      </Notice>
    )
  }
  if (isOutdated) {
    return (
      <div className="grid justify-items-start gap-3 py-3">
        <Notice tone="warning">
          <b>gemini-dash was updated,</b> and this part belongs to the version before. What you are reading
          stays until you reload the page.
        </Notice>
        <Button onClick={() => window.location.reload()}>
          <Icon of={RotateCw} small />
          Reload
        </Button>
      </div>
    )
  }
  return (
    <Failed
      what="This part could not be drawn."
      error={error}
      onRetry={onRetry}
      stillWorks="The rest of the page still works."
    />
  )
}
