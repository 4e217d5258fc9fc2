import type { TokenUsage } from 'gemini-sessions'
import type { FigureName } from '../../../content/explain/explain-context.ts'
import { classNames } from '../../../lib/browser/class-names.ts'
import { formatCount } from '../../../lib/figures/format.ts'

type TokenField = Exclude<FigureName, 'calls' | 'cost'>

/** The recorded fields in the order in which they are read, and what each is to the sum. */
const FIELDS: readonly { field: TokenField; name: string; means: string; isPart?: boolean }[] = [
  { field: 'input', name: 'input', means: 'all that was sent' },
  {
    field: 'cached',
    name: 'of it cached',
    means: 'part of the input, at the cache rate; counted once',
    isPart: true,
  },
  { field: 'output', name: 'output', means: 'the answer' },
  { field: 'thoughts', name: 'thoughts', means: 'billed like output' },
  { field: 'tool', name: 'tool', means: 'what built-in tools brought in, billed like input' },
]

/** The recorded fields of a call or of a sum, and how each counts. The figure that was asked for is marked. */
export function TokenTable({ usage, figure }: { usage: TokenUsage; figure: FigureName | undefined }) {
  const { input, output, thoughts, tool, total } = usage
  const apart = total - (input + output + thoughts + tool)
  return (
    <table className="explain-tokens">
      <thead>
        <tr>
          <th scope="col">Recorded</th>
          <th scope="col" className="num">
            Tokens
          </th>
          <th scope="col">Is</th>
        </tr>
      </thead>
      <tbody>
        {FIELDS.filter(({ field }) => usage[field] > 0 || field === figure || field === 'input').map(
          ({ field, name, means, isPart }) => (
            <tr key={field} className={classNames(isPart && 'part', field === figure && 'asked')}>
              <th scope="row">{name}</th>
              <td className="num">{formatCount(usage[field])}</td>
              <td className="means">{means}</td>
            </tr>
          ),
        )}
      </tbody>
      <tfoot>
        <tr className={classNames(figure === 'total' && 'asked')}>
          <th scope="row">total</th>
          <td className="num">{formatCount(total)}</td>
          <td className="means">
            {apart === 0
              ? 'as recorded: input, output, thoughts and tool'
              : `as recorded; its parts come to ${formatCount(total - apart)}`}
          </td>
        </tr>
      </tfoot>
    </table>
  )
}
