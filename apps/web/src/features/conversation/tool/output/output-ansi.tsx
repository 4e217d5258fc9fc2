import type { ToolOutput } from 'gemini-sessions'
import { useMemo } from 'react'
import { AnsiText } from '../../../../content/ansi/ansi-text.tsx'
import { linesFromTokens } from '../../../../content/ansi/lines-from-tokens.ts'
import { ScrollRegion } from '../../../../ui/frames/scroll-region.tsx'
import { useOpen } from '../../open/open-store.ts'
import { OutputFooter } from './output-footer.tsx'
import { useWholeOutput } from './use-whole-output.ts'

const FIRST_LINES = 20
const MAX_LINES = 5_000

/** The screen of a terminal, as newer versions store it. */
export function OutputAnsi({
  id,
  output: carried,
}: {
  id: string
  output: Extract<ToolOutput, { kind: 'ansi' }>
}) {
  const [isAll, setAll] = useOpen(`${id}/all`)
  const { output, state } = useWholeOutput(carried, isAll)
  const lines = useMemo(() => linesFromTokens(output.lines), [output.lines])
  const text = useMemo(() => lines.map((line) => line.map((span) => span.text).join('')).join('\n'), [lines])
  const shown = lines.slice(0, isAll ? MAX_LINES : FIRST_LINES)
  const isCut = output.cut !== undefined
  const canShowMore = !isAll && (shown.length < lines.length || isCut)
  return (
    <>
      <ScrollRegion label="Output" className="terminal">
        <pre dir="ltr">
          <AnsiText lines={shown} />
        </pre>
      </ScrollRegion>
      {(lines.length > 3 || isCut) && (
        <OutputFooter
          shown={shown.length}
          total={isCut ? null : lines.length}
          sizeBytes={output.cut?.sizeBytes ?? new Blob([text]).size}
          onShowMore={canShowMore || state === 'loading' ? () => setAll(true) : null}
          state={state}
          copyText={text}
        />
      )}
    </>
  )
}
