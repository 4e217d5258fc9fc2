import './part-body.css'
import { useQuery } from '@tanstack/react-query'
import type { Part } from 'gemini-sessions'
import { wholeTextQuery } from '../../../api/session/whole.ts'
import { NotHeld } from '../../../content/badges/session-badges.tsx'
import { CodeBlock } from '../../../content/code/code-block.tsx'
import { JsonTree } from '../../../content/code/json-tree.tsx'
import { Markdown } from '../../../content/markdown/markdown.tsx'
import { StoredImage } from '../../../content/neighbours/stored-image.tsx'
import { MachineText } from '../../../content/text/machine-text.tsx'
import { formatSize } from '../../../lib/figures/format.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'
import { useOpen } from '../open/open-store.ts'

/** Markdown of a longer text would hold the page up; it is shown as plain text. */
const MAX_MARKDOWN_LENGTH = 200_000

/** One part of what a message says. */
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
