import './conversation.css'
import { useQuery } from '@tanstack/react-query'
import type { Part } from 'gemini-sessions'
import { Link as LinkIcon } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { wholeTextQuery } from '../../api/session-answer.ts'
import { CodeBlock } from '../../content/code-block.tsx'
import { JsonTree } from '../../content/json-tree.tsx'
import { MachineText } from '../../content/machine-text.tsx'
import { Markdown } from '../../content/markdown.tsx'
import { NotHeld } from '../../content/session-badges.tsx'
import { StoredImage } from '../../content/stored-files.tsx'
import { formatSize } from '../../lib/figures.ts'
import { usePaper } from '../../lib/paper.ts'
import { Button, CopyButton } from '../../ui/buttons/button.tsx'
import { CopyIconButton } from '../../ui/buttons/icon-button.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { Notice } from '../../ui/states.tsx'
import { messageLink } from './message-link.ts'
import { useOpen } from './open-store.ts'

/** Rendering Markdown of a longer text would block the page; it is shown as plain text. */
const MAX_MARKDOWN_LENGTH = 200_000

/** One part of a message's content. */
export function PartBody({ id, part }: { id: string; part: Part }) {
  switch (part.kind) {
    case 'text':
      return <TextPart id={id} part={part} />
    case 'image':
    case 'audio':
    case 'file':
      return <StoredImage {...part} />
    case 'code':
      return (
        <>
          <CodeBlock code={part.code} language={part.language} />
          {part.output !== null && <CodeBlock code={part.output} language={part.outcome ?? 'output'} />}
        </>
      )
    case 'unknown':
      return <JsonTree value={part.json} label="A part of unknown kind" />
  }
}

function TextPart({ id, part }: { id: string; part: Extract<Part, { kind: 'text' }> }) {
  const [isAll, setAll] = useOpen(`${id}/all`)
  const whole = useQuery({
    ...wholeTextQuery(part.cut?.href ?? ''),
    enabled: isAll && part.cut !== undefined,
  })
  const text = whole.data ?? part.text
  return (
    <>
      {text.length > MAX_MARKDOWN_LENGTH ? (
        <ScrollRegion label="Text" className="plain-text">
          <pre dir="auto">
            <MachineText text={text} />
          </pre>
        </ScrollRegion>
      ) : (
        <Markdown text={text} />
      )}
      {part.cut !== undefined && whole.data === undefined && (
        <p className="show-all">
          <Button
            size="tiny"
            disabled={whole.isFetching}
            onClick={() => (isAll ? void whole.refetch() : setAll(true))}
          >
            Show all ({formatSize(part.cut.sizeBytes)})
          </Button>
          {whole.isError && <span className="tone-error"> It could not be read.</span>}
        </p>
      )}
      <NotHeld of={[part.cut]} />
    </>
  )
}

interface Props {
  what: string
  data: unknown
  children: ReactNode
}

/** Error boundary: replaces a part that cannot be drawn with its type and copyable data. The rest of the page stays. */
export class CardBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  /** Retries with new data: a session grows while it is read. */
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

/** Copies the link to one thought or tool call; visible on hover and focus, not on paper. */
export function PartLink({ messageKey, part, what }: { messageKey: string; part: string; what: string }) {
  if (usePaper() !== null) return null
  return (
    <span className="part-link">
      <CopyIconButton
        icon={LinkIcon}
        label={`Copy link to this ${what}`}
        text={() => messageLink(messageKey, part)}
      />
    </span>
  )
}
