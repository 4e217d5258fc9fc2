import type { ToolOutput } from 'gemini-sessions'
import { useMemo, useState } from 'react'
import { Markdown } from '../../../../content/markdown/markdown.tsx'
import { useOpen } from '../../open/open-store.ts'
import { clipLines } from './clip-lines.ts'
import { markdownPieces } from './markdown-pieces.ts'
import { OutputFooter } from './output-footer.tsx'
import { useWholeOutput } from './use-whole-output.ts'

const FIRST_LINES = 40
/** Drawing more than this at once would hold the page up. */
const PIECE_LINES = 150

interface Props {
  id: string
  output: Extract<ToolOutput, { kind: 'markdown' | 'text' }>
  /** Takes the tool's own words off the whole text, where they were taken off `output`. */
  readWhole?: ((text: string) => string) | undefined
  /** What is drawn instead of the text that is copied. */
  asDrawn?: (text: string) => string
}

/** Output that the tool wrote as Markdown: a web page, a sub-agent's report. */
export function OutputMarkdown({ id, output: carried, readWhole = unchanged, asDrawn = unchanged }: Props) {
  const [isAll, setAll] = useOpen(`${id}/all`)
  const { output, state } = useWholeOutput(carried, isAll)
  const text = output === carried ? output.text : readWhole(output.text)
  const [pieceCount, setPieceCount] = useState(1)
  const first = useMemo(() => clipLines(text, FIRST_LINES), [text])
  const pieces = useMemo(() => (isAll ? markdownPieces(text, PIECE_LINES) : []), [text, isAll])
  const shown = isAll ? pieces.slice(0, pieceCount) : [first.text]
  const isCut = output.cut !== undefined
  const isWhole = isAll && pieceCount >= pieces.length
  return (
    <div className="output plain">
      <div className="output-prose">
        {shown.map((piece, index) => (
          <Markdown key={`${isAll} ${index}`} text={asDrawn(piece)} isSmall />
        ))}
      </div>
      {(first.isClipped || isCut || isAll) && (
        <OutputFooter
          shown={isWhole ? first.totalLines : countLines(shown)}
          total={isCut ? null : first.totalLines}
          sizeBytes={output.cut?.sizeBytes ?? text.length}
          onShowMore={isWhole ? null : () => (isAll ? setPieceCount(pieceCount + 1) : setAll(true))}
          moreLabel={isAll || first.totalLines > PIECE_LINES ? 'Show more' : undefined}
          state={state}
          copyText={text}
        />
      )}
    </div>
  )
}

function countLines(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + piece.split('\n').length, 0)
}

function unchanged(text: string): string {
  return text
}
