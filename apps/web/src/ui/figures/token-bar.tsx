import './token-bar.css'
import type { TokenUsage } from 'gemini-sessions'

/** Bottom of the stack to top; the order never changes. */
const CLASSES = ['cached', 'fresh', 'output', 'thoughts', 'tooluse'] as const

interface Props {
  usage: TokenUsage
  /** Length of the bar between 0 and 1. */
  share?: number
}

/** The classes of tokens side by side, on a square-root scale so that small ones show. Decoration of figures beside it. */
export function TokenBar({ usage, share = 1 }: Props) {
  const sizes = {
    cached: usage.cached,
    fresh: Math.max(usage.input - usage.cached, 0),
    output: usage.output,
    thoughts: usage.thoughts,
    tooluse: usage.tool,
  }
  const roots = CLASSES.map((name) => Math.sqrt(sizes[name]))
  const sum = roots.reduce((total, root) => total + root, 0)
  let start = 0
  return (
    <svg className="token-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      {CLASSES.map((name, index) => {
        const width = sum === 0 ? 0 : ((roots[index] ?? 0) / sum) * 100 * share
        const x = start
        start += width
        return (
          width > 0 && <rect key={name} className={`fill-${name}`} x={x} y="0" width={width} height="4" />
        )
      })}
    </svg>
  )
}
