import { RotateCw } from 'lucide-react'
import { Component, type ComponentType, lazy, type ReactNode, useState, useSyncExternalStore } from 'react'
import { connection } from '../api/connection.ts'
import { pageBuild } from '../api/tab-state.ts'
import { useDrawnLater } from '../lib/list-hooks.ts'
import { Button } from './buttons/button.tsx'
import { Dialog } from './dialog.tsx'
import { Icon } from './icons.tsx'
import { Failed, Notice } from './states.tsx'

/** A dialog whose code loads when first opened. If that fails, a small dialog says so. */
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

/** A component whose code loads when first drawn. If loading or rendering fails, `failed` is drawn instead, with a retry. */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  failed: (failure: { error: Error; onRetry: () => void }, props: Props) => ReactNode,
) {
  // React caches a failed import forever, so a retry needs a new lazy component.
  let Loaded = lazy(load)
  return function LazyPart(props: Props) {
    // own state: resetting the boundary alone would draw the failed component again
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

interface Props {
  /** Drawn in place of a component that threw. */
  failed: (error: Error, onRetry: () => void) => ReactNode
  onRetry?: () => void
  children: ReactNode
}

/** Error boundary: replaces only what threw. Retries once the server is back. */
class PartBorder extends Component<Props, { error: Error | null }> {
  override state = { error: null }
  #endSubscription = () => {}

  static getDerivedStateFromError(thrown: unknown): { error: Error } {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }

  override componentDidMount(): void {
    this.#endSubscription = connection.whenFound(() => {
      if (this.state.error !== null) this.#retry()
    })
  }

  override componentWillUnmount(): void {
    this.#endSubscription()
  }

  override render(): ReactNode {
    const { error } = this.state
    return error === null ? this.props.children : this.props.failed(error, this.#retry)
  }

  readonly #retry = (): void => {
    this.props.onRetry?.()
    this.setState({ error: null })
  }
}

/** Replaces a component that failed, with a remedy: reload, sign in, or retry. */
function PartFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isOutdated = useSyncExternalStore(pageBuild.subscribe, pageBuild.isOutdated)
  const state = useSyncExternalStore(connection.subscribe, connection.get)
  if (state === 'forbidden') {
    return (
      <Notice tone="warning">
        This part was not loaded before this browser was signed out. It appears by itself once you are signed
        in again.
      </Notice>
    )
  }
  if (isOutdated) {
    return (
      <div className="grid justify-items-start gap-3 py-3">
        <Notice tone="warning">
          <b>gemini-dash was updated,</b> and this part belongs to the version before. What you are reading
          stays until you reload the page.
        </Notice>
        <Button onClick={() => window.location.reload()}>
          <Icon of={RotateCw} small />
          Reload
        </Button>
      </div>
    )
  }
  return (
    <Failed
      what="This part could not be drawn."
      error={error}
      onRetry={onRetry}
      stillWorks="The rest of the page still works."
    />
  )
}

/** Error boundary around a panel: the rest of the page stays. */
export function Border({ children }: { children: ReactNode }) {
  return (
    <PartBorder failed={(error, onRetry) => <PartFailed error={error} onRetry={onRetry} />}>
      {children}
    </PartBorder>
  )
}

/** A panel whose code loads when first drawn. If that fails, only the panel shows the error. */
export function lazyPanel<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazyPart(load, (failure) => <PartFailed {...failure} />)
}

interface DrawnLaterProps {
  /** Shown until then. */
  placeholder: ReactNode
  /** Rendered only then. */
  children: () => ReactNode
}

/** Renders large content in a transition, so that it blocks nothing. */
export function DrawnLater({ placeholder, children }: DrawnLaterProps) {
  return useDrawnLater() ? children() : placeholder
}
