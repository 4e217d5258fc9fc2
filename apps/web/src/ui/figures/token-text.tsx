import { formatCount, formatTokens } from '../../lib/figures/format.ts'

/** Tokens in a short form, with the exact figure in the title and for screen readers. `more`: what else the title says. */
export function TokenText({ tokens, more }: { tokens: number; more?: string | undefined }) {
  const exact = formatCount(tokens)
  const short = formatTokens(tokens)
  if (short === exact) return more === undefined ? short : <span title={more}>{short}</span>
  return (
    <span title={more === undefined ? `${exact} tokens` : `${exact} tokens, ${more}`}>
      <span aria-hidden="true">{short}</span>
      <span className="visually-hidden">{exact}</span>
    </span>
  )
}
