import type { ToolOutput } from 'gemini-sessions'
import { Markdown } from '../../../content/markdown.tsx'
import { useOpen } from '../open-store.ts'
import { clipLines } from './clip-lines.ts'
import { OutputFooter } from './output-footer.tsx'
import { useWholeOutput } from './use-whole-output.ts'

const FIRST_LINES = 40
const MAX_LINES = 5_000

interface Props {
  id: string
  output: Extract<ToolOutput, { kind: 'markdown' | 'text' }>
  /** Takes the tool's own words off the whole text, where they were taken off `output`. */
  readWhole?: ((text: string) => string) | undefined
}

/** Output that the tool wrote as Markdown: a web page, a sub-agent's report. */
export function OutputMarkdown({ id, output: carried, readWhole = unchanged }: Props) {
  const [isAll, setAll] = useOpen(`${id}/all`)
  const { output, state } = useWholeOutput(carried, isAll)
  const text = output === carried ? output.text : readWhole(output.text)
  const clipped = clipLines(text, isAll ? MAX_LINES : FIRST_LINES)
  const isCut = output.cut !== undefined
  return (
    <div className="output plain">
      <div className="output-prose">
        <Markdown text={clipped.text} isSmall />
      </div>
      {(clipped.isClipped || isCut || isAll) && (
        <OutputFooter
          shown={clipped.shownLines}
          total={isCut ? null : clipped.totalLines}
          sizeBytes={output.cut?.sizeBytes ?? text.length}
          onShowMore={isAll ? null : () => setAll(true)}
          state={state}
          copyText={text}
        />
      )}
    </div>
  )
}

function unchanged(text: string): string {
  return text
}
