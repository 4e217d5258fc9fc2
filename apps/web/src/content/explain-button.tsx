import '../ui/buttons/dotted-button.css'
import { createContext, type ReactNode, useContext } from 'react'
import { Heard } from '../ui/figures.tsx'

/** A figure of a sum or of a call, by the name under which it is recorded; `cost` is made of all of them. */
export type FigureName = 'calls' | 'input' | 'cached' | 'output' | 'thoughts' | 'tool' | 'total' | 'cost'

/** Which part of the usage report a figure is the sum of. */
export interface UsageScope {
  from?: string | undefined
  project?: string | undefined
  model?: string | undefined
}

/** Which figure is to be explained: of a session or a turn, of one call, or of the usage report. `sessionRef`: of another session than the page’s. */
export type Explained = { figure?: FigureName } & (
  | { kind: 'session'; sessionRef?: string }
  | { kind: 'turn'; number: number }
  | { kind: 'call'; messageKey: string; sessionRef?: string }
  | { kind: 'usage'; name: string; scope: UsageScope }
)

/** Says how a figure came about; null where nobody can. */
export const ExplainContext = createContext<((figure: Explained) => void) | null>(null)

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
