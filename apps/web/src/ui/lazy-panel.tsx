import { type ComponentType, lazy, useState } from 'react'
import { PartBorder } from './part-border.tsx'
import { PartFailed } from './part-failed.tsx'

/** A panel whose program is loaded when it is first drawn. Where that fails only the panel says so, and can try again. */
export function lazyPanel<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  // React remembers a failed loading for good, so another try needs another one.
  let Loaded = lazy(load)
  return function LazyPanel(props: Props) {
    // of its own: the border alone would draw again what failed
    const [Part, setPart] = useState(() => Loaded)
    const startOver = () => {
      Loaded = lazy(load)
      setPart(Loaded)
    }
    return (
      <PartBorder
        failed={(error, onRetry) => <PartFailed error={error} onRetry={onRetry} />}
        onRetry={startOver}
      >
        <Part {...props} />
      </PartBorder>
    )
  }
}
