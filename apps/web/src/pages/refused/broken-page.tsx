import { RotateCw } from 'lucide-react'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { NoticePage } from '../../ui/states/notice-page.tsx'

/** A page that threw. The other pages still work. */
export function BrokenPage({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <NoticePage title="This page could not be drawn" lead={error.message}>
      <p className="mt-4 text-ink-2">The other pages still work, and nothing on disk was touched.</p>
      <div className="mt-6 flex flex-wrap items-center gap-2">
        <Button look="primary" onClick={onRetry}>
          <Icon of={RotateCw} small />
          Try again
        </Button>
        <CopyButton text={`${error.name}: ${error.message}\n${error.stack ?? ''}`} label="Copy details" />
      </div>
    </NoticePage>
  )
}
