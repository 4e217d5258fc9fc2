import { X } from 'lucide-react'
import type { ComponentType } from 'react'
import { IconButton } from '../buttons/icon-button.tsx'
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
    <dialog
      className="drawer"
      aria-label="This part could not be drawn"
      ref={(dialog) => {
        if (dialog !== null && !dialog.open) dialog.showModal()
      }}
      onClose={props.onClose}
    >
      <div className="drawer-close">
        <IconButton icon={X} label="Close" onClick={props.onClose} />
      </div>
      <PartFailed error={props.error} onRetry={props.onRetry} />
    </dialog>
  )
}
