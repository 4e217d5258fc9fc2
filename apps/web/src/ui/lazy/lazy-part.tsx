import { type ComponentType, lazy, type ReactNode, useState } from 'react'
import { PartBorder } from './part-border.tsx'

/**
 * A part whose program is loaded when it is first drawn. Where that fails, or what was loaded throws, `failed` is drawn in its
 * place, and can try again.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  failed: (failure: { error: Error; onRetry: () => void }, props: Props) => ReactNode,
) {
  // React remembers a failed loading for good, so another try needs another one.
  let Loaded = lazy(load)
  return function LazyPart(props: Props) {
    // of its own: the border alone would draw again what failed
    const [Part, setPart] = useState(() => Loaded)
    const startOver = () => {
      Loaded = lazy(load)
      setPart(Loaded)
    }
    return (
      <PartBorder failed={(error, onRetry) => failed({ error, onRetry }, props)} onRetry={startOver}>
        <Part {...props} />
      </PartBorder>
    )
  }
}
