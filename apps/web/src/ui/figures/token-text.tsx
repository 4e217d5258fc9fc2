import { formatCount, formatTokens } from '../../lib/figures/format.ts'

/** Tokens in a short form, with the exact figure in the title and for screen readers. */
export function TokenText({ tokens }: { tokens: number }) {
  const exact = formatCount(tokens)
  const short = formatTokens(tokens)
  if (short === exact) return short
  return (
    <span title={`${exact} tokens`}>
      <span aria-hidden="true">{short}</span>
      <span className="visually-hidden">{exact}</span>
    </span>
  )
}
