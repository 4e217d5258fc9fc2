import { Component, type ReactNode } from 'react'
import { connection } from '../../api/request/connection.ts'

interface Props {
  /** Drawn in place of a part that threw. */
  failed: (error: Error, onRetry: () => void) => ReactNode
  onRetry?: () => void
  children: ReactNode
}

/** What throws inside is replaced alone: what stands around it stays. Tried again once the server is back. */
export class PartBorder extends Component<Props, { error: Error | null }> {
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
