import type { ComponentType } from 'react'
import { Dialog } from '../frames/dialog.tsx'
import { lazyPart } from './lazy-part.tsx'
import { PartFailed } from './part-failed.tsx'

/** A dialog whose program is loaded when it is first opened. Where that fails a small dialog says so. */
export function lazyDialog<Props extends { onClose: () => void }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
) {
  return lazyPart(load, (failure, { onClose }) => <FailedDialog {...failure} onClose={onClose} />)
}

function FailedDialog(props: { error: Error; onRetry: () => void; onClose: () => void }) {
  return (
    <Dialog title="This part could not be drawn" onClose={props.onClose}>
      <PartFailed error={props.error} onRetry={props.onRetry} />
    </Dialog>
  )
}
