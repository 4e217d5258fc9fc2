import { RotateCw } from 'lucide-react'
import { Component, type ComponentType, lazy, type ReactNode, useState, useSyncExternalStore } from 'react'
import { connection } from '../api/request.ts'
import { pageBuild } from '../api/tab-state.ts'
import { useDrawnLater } from '../lib/list-hooks.ts'
import { Button } from './buttons/button.tsx'
import { Dialog } from './dialog.tsx'
import { Icon } from './icons.tsx'
import { Failed, Notice } from './states.tsx'

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

interface Props {
  /** Drawn in place of a part that threw. */
  failed: (error: Error, onRetry: () => void) => ReactNode
  onRetry?: () => void
  children: ReactNode
}

/** What throws inside is replaced alone: what stands around it stays. Tried again once the server is back. */
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

/** In the place of a part that could not be drawn, with what helps: a reload, a sign-in, or another try. */
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

/** Around a panel: if something in it throws, the rest of the page stays. */
export function Border({ children }: { children: ReactNode }) {
  return (
    <PartBorder failed={(error, onRetry) => <PartFailed error={error} onRetry={onRetry} />}>
      {children}
    </PartBorder>
  )
}

/** A panel whose program is loaded when it is first drawn. Where that fails only the panel says so. */
export function lazyPanel<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazyPart(load, (failure) => <PartFailed {...failure} />)
}

interface DrawnLaterProps {
  /** What stands there until then. */
  placeholder: ReactNode
  /** Built only then. */
  children: () => ReactNode
}

/** Something large that has just come: drawn in pieces, so that nothing is held up. */
export function DrawnLater({ placeholder, children }: DrawnLaterProps) {
  return useDrawnLater() ? children() : placeholder
}
