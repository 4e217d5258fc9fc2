import type { ToolOutput } from 'gemini-sessions'
import { useContext, useMemo } from 'react'
import { AnsiSource } from '../../../../content/ansi/ansi-source.tsx'
import { CodeLines } from '../../../../content/code/code-lines.tsx'
import { HitContext } from '../../../../content/text/hit-context.ts'
import { hasHit } from '../../../../content/text/mark-ranges.ts'
import { classNames } from '../../../../lib/browser/class-names.ts'
import { byteSize } from '../../../../lib/figures/byte-size.ts'
import { ScrollRegion } from '../../../../ui/frames/scroll-region.tsx'
import { useOpen } from '../../open/open-store.ts'
import { clipLines } from './clip-lines.ts'
import { MOST_AT_ONCE } from './most-at-once.ts'
import { OutputFooter } from './output-footer.tsx'
import { useWholeOutput } from './use-whole-output.ts'

type TextOutput = Extract<ToolOutput, { kind: 'text' | 'markdown' | 'error' }>

const FIRST_LINES = 20

interface Props {
  id: string
  output: TextOutput
  /** Drawn as a numbered file instead of terminal text. */
  code?: { language: string | null; firstLine: number }
  /** Takes the tool's own words off the whole text, where they were taken off `output`. */
  readWhole?: ((text: string) => string) | undefined
}

/** Text that a tool gave back: its first lines, and the whole when asked for. */
export function OutputText({ id, output: carried, code, readWhole = unchanged }: Props) {
  const terms = useContext(HitContext)
  const isHitBelow = terms.length > 0 && hasHit(carried.text, terms)
  const [isAll, setAll] = useOpen(`${id}/all`, isHitBelow)
  const { output, state } = useWholeOutput(carried, isAll)
  const text = output === carried ? output.text : readWhole(output.text)
  const clipped = useMemo(() => clipLines(text, isAll ? MOST_AT_ONCE.text : FIRST_LINES), [text, isAll])
  const isCut = output.cut !== undefined
  const canShowMore = !isAll && (clipped.isClipped || isCut)
  return (
    <div className="output">
      {code === undefined ? (
        <TerminalText text={clipped.text} isWrapped={carried.kind === 'error'} />
      ) : (
        <CodeLines code={clipped.text} language={code.language} firstLine={code.firstLine} label="File" />
      )}
      {(clipped.totalLines > 3 || canShowMore || isCut) && (
        <OutputFooter
          shown={clipped.shownLines}
          total={isCut ? null : clipped.totalLines}
          sizeBytes={output.cut?.sizeBytes ?? byteSize(text)}
          onShowMore={canShowMore || state === 'loading' ? () => setAll(true) : null}
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

/** `isWrapped`: an error is read as a sentence, not in columns. */
function TerminalText({ text, isWrapped }: { text: string; isWrapped: boolean }) {
  return (
    <ScrollRegion label="Output" className={classNames('terminal', isWrapped && 'wrapping')}>
      <pre dir="ltr">
        <AnsiSource text={text} />
      </pre>
    </ScrollRegion>
  )
}
