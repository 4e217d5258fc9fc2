import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { healthQuery } from '../../api/health.ts'
import { pageBuild } from '../../api/live/page-build.ts'
import { connection } from '../../api/request/connection.ts'
import { useDelayed } from '../../lib/hooks/use-delayed.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Notice } from '../../ui/states/notice.tsx'

const PATIENCE_MS = 5_000

/** Says that this browser is signed out, or that the server is gone, once it has been gone for a while, and disappears when it is back. */
export function ConnectionBanner() {
  const state = useSyncExternalStore(connection.subscribe, connection.get)
  const isShown = useDelayed(state === 'lost', PATIENCE_MS)
  if (state === 'forbidden') return <SignedOut />
  if (!isShown) return null
  return (
    <Notice tone="error">
      <b>gemini-dash has stopped.</b> What you see stays readable. Start it again with{' '}
      <code>npx gemini-dash</code>; this page then goes on by itself.
    </Notice>
  )
}

function SignedOut() {
  return (
    <Notice tone="warning">
      <b>This browser is not signed in any more.</b> What you see stays. Run <code>npx gemini-dash url</code>{' '}
      in a terminal and open the address that it prints in another tab; this page then goes on by itself.
    </Notice>
  )
}

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

/** Says that what is seen is nobody's, on every page: it looks as one's own does. */
export function SampleNotice() {
  const isSample = useQuery(healthQuery()).data?.demo ?? 'sampleNow' in document.documentElement.dataset
  if (!isSample) return null
  return (
    <Notice>
      <b>This is the sample that comes with gemini-dash.</b> None of it is yours; what you mark is forgotten.
    </Notice>
  )
}
