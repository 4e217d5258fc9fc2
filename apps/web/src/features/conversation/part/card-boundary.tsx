import { Component, type ReactNode } from 'react'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { Notice } from '../../../ui/states/notice.tsx'

interface Props {
  what: string
  data: unknown
  children: ReactNode
}

/** In the place of what could not be drawn: what it was, and its data to copy. The rest of the page stays. */
export class CardBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  /** What came since may well be drawn: a session grows while it is read. */
  override componentDidUpdate(before: Props) {
    if (this.state.error !== null && before.data !== this.props.data) this.setState({ error: null })
  }

  override render() {
    if (this.state.error === null) return this.props.children
    return (
      <Notice tone="error">
        <b>{this.props.what || 'This card'} could not be drawn.</b> The data is intact, and the rest of the
        page is not affected.{' '}
        <CopyButton text={details(this.state.error, this.props.data)} label="Copy details" />
      </Notice>
    )
  }
}

function details(error: Error, data: unknown): string {
  return `${error.name}: ${error.message}\n\n${JSON.stringify(data, null, 2)}`
}
