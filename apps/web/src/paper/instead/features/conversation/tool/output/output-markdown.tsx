import type { ToolOutput } from 'gemini-sessions'
import { Markdown } from '../../../../../../content/markdown/markdown.tsx'

interface Props {
  output: Extract<ToolOutput, { kind: 'markdown' | 'text' }>
  asDrawn?: (text: string) => string
}

/** All of it. */
export function OutputMarkdown({ output: { text }, asDrawn = (whole) => whole }: Props) {
  return (
    <div className="output plain">
      <div className="output-prose">
        <Markdown text={asDrawn(text)} isSmall />
      </div>
    </div>
  )
}
