import type { CostTerm } from '@gemini-dash/api'
import { formatExactUsd } from '@gemini-dash/api/figures'
import { formatCount } from '../../../lib/figures/format.ts'

const NAMES = {
  input: 'new input',
  cached: 'cached input',
  output: 'output',
  thoughts: 'thoughts',
  tool: 'tool',
} as const

/** The products of a sum: tokens, rate, dollars. */
export function TermTable({ terms, usd }: { terms: readonly CostTerm[]; usd: number | null }) {
  return (
    <table className="explain-terms">
      <thead>
        <tr>
          <th scope="col">Tokens</th>
          <th scope="col" className="num">
            Count
          </th>
          <th scope="col" className="num">
            $ a million
          </th>
          <th scope="col" className="num">
            Cost
          </th>
        </tr>
      </thead>
      <tbody>
        {terms
          .filter(({ tokens }) => tokens > 0)
          .map((term) => (
            <tr key={term.kind}>
              <th scope="row">{NAMES[term.kind]}</th>
              <td className="num">{formatCount(term.tokens)}</td>
              <td className="num">{term.usdPerMillion ?? 'unknown'}</td>
              <td className="num">{term.usd === null ? 'unknown' : formatExactUsd(term.usd)}</td>
            </tr>
          ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={3}>
            Together
          </th>
          <td className="num">{usd === null ? 'unknown' : formatExactUsd(usd)}</td>
        </tr>
      </tfoot>
    </table>
  )
}
