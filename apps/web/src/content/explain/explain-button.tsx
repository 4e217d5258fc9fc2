import '../../ui/buttons/dotted-button.css'
import { type ReactNode, useContext } from 'react'
import { ExplainContext, type Explained } from './explain-context.ts'

/** A figure that says, when it is pressed, how it came about. */
export function ExplainButton({ of, children }: { of: Explained; children: ReactNode }) {
  const explain = useContext(ExplainContext)
  if (explain === null) return children
  return (
    <button type="button" className="dotted-button" title="How this came about" onClick={() => explain(of)}>
      {children}
    </button>
  )
}
