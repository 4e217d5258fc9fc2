import { useSyncExternalStore } from 'react'
import { pageBuild } from '../../api/live/page-build.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Notice } from '../../ui/states/notice.tsx'

/** Says that the server came back with another build of the page. The reader chooses when to leave this one. */
export function UpdateNotice() {
  const isOutdated = useSyncExternalStore(pageBuild.subscribe, pageBuild.isOutdated)
  if (!isOutdated) return null
  return (
    <Notice>
      <b>gemini-dash was updated.</b> What you are reading stays; reload when you like.{' '}
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </Notice>
  )
}
