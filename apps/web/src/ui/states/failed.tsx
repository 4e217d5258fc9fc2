import './load-state.css'
import { RotateCw } from 'lucide-react'
import { Button } from '../buttons/button.tsx'
import { Icon } from '../signs/icon.tsx'
import { Notice } from './notice.tsx'

type Props = { what: string; error: Error; onRetry: () => void; stillWorks?: string }

/** In the place of what failed: what failed, why, what still works, and a way to try again. */
export function Failed({ what, error, onRetry, stillWorks }: Props) {
  return (
    <div className="grid justify-items-start gap-3 py-3">
      <Notice tone="error">
        <b>{what}</b> {error.message} {stillWorks}
      </Notice>
      <Button onClick={onRetry}>
        <Icon of={RotateCw} small />
        Retry
      </Button>
    </div>
  )
}
