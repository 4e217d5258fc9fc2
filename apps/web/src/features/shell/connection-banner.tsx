import { useSyncExternalStore } from 'react'
import { connection } from '../../api/connection.ts'
import { useDelayed } from '../../lib/use-delayed.ts'
import { Notice } from '../../ui/notice.tsx'

const PATIENCE_MS = 5_000

/** Says that the server is gone, once it has been gone for a while, and disappears when it is back. */
export function ConnectionBanner() {
  const isLost = useSyncExternalStore(connection.subscribe, connection.get) === 'lost'
  const isShown = useDelayed(isLost, PATIENCE_MS)
  if (!isShown) return null
  return (
    <Notice tone="error">
      <b>gemini-dash has stopped.</b> What you see stays readable. Start it again with{' '}
      <code>npx gemini-dash</code>; this page then goes on by itself.
    </Notice>
  )
}
