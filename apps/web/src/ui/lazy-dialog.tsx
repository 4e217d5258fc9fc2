import { X } from 'lucide-react'
import { type ComponentType, lazy, useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { PartBorder } from './part-border.tsx'
import { PartFailed } from './part-failed.tsx'

/** A dialog whose program is loaded when it is first opened. Where that fails a small dialog says so. */
export function lazyDialog<Props extends { onClose: () => void }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
) {
  let Loaded = lazy(load)
  return function LazyDialog(props: Props) {
    // of its own: the border alone would draw again what failed
    const [Part, setPart] = useState(() => Loaded)
    const startOver = () => {
      Loaded = lazy(load)
      setPart(Loaded)
    }
    return (
      <PartBorder
        failed={(error, onRetry) => <FailedDialog error={error} onRetry={onRetry} onClose={props.onClose} />}
        onRetry={startOver}
      >
        <Part {...props} />
      </PartBorder>
    )
  }
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
