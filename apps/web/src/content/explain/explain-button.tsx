import '../../ui/buttons/dotted-button.css'
import { type ReactNode, useContext } from 'react'
import { Heard } from '../../ui/figures/heard.tsx'
import { ExplainContext, type Explained, type FigureName } from './explain-context.ts'

const NAMES: Record<FigureName, string> = {
  calls: 'calls',
  input: 'input tokens',
  cached: 'cached tokens',
  output: 'output tokens',
  thoughts: 'tokens of thoughts',
  tool: 'tool tokens',
  total: 'tokens',
  cost: 'cost',
}

interface Props {
  of: Explained
  /** What is heard behind the text; by itself what is counted. Empty: the text or the head of a column says it. */
  name?: string
  children: ReactNode
}

/** A figure that says, when it is pressed, how it came about. */
export function ExplainButton({ of, name = of.figure && NAMES[of.figure], children }: Props) {
  const explain = useContext(ExplainContext)
  const figure = (
    <>
      {children}
      {name && <Heard>{name}</Heard>}
    </>
  )
  if (explain === null) return figure
  return (
    <button type="button" className="dotted-button" title="How this came about" onClick={() => explain(of)}>
      {figure}
    </button>
  )
}
