import '../../../../ui/figures/token-bar.css'
import type { TokenUsage } from 'gemini-sessions'

interface Props {
  usage: TokenUsage
  share?: number
}

/** The same bar in fewer words: a long session has hundreds. */
export function TokenBar({ usage, share = 1 }: Props) {
  const { cached, input, output, thoughts, tool } = usage
  const sizes = { cached, fresh: Math.max(input - cached, 0), output, thoughts, tooluse: tool }
  const roots = Object.entries(sizes).map(([name, size]) => ({ name, root: Math.sqrt(size) }))
  const sum = roots.reduce((total, { root }) => total + root, 0)
  let start = 0
  return (
    <svg className="token-bar" aria-hidden="true">
      {roots.map(({ name, root }) => {
        const width = sum === 0 ? 0 : Math.round((root / sum) * 1000 * share) / 10
        const x = Math.round(start * 10) / 10
        start += width
        return (
          width > 0 && (
            <rect key={name} className={`fill-${name}`} x={`${x}%`} width={`${width}%`} height="100%" />
          )
        )
      })}
    </svg>
  )
}
