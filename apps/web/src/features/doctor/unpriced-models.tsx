import type { Doctor } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { FindingGroup } from './finding-group.tsx'
import { FindingList } from './finding-list.tsx'

/** Models whose requests are in no sum of costs. */
export function UnpricedModels({ unpriced }: { unpriced: Doctor['unpriced'] }) {
  if (unpriced.length === 0) return null
  return (
    <FindingGroup
      title="Without a price"
      tally={formatPlural(unpriced.length, 'model')}
      lead={
        <>
          No price is known for these models, so costs do not include their requests. Set a price under{' '}
          <Link to="/settings" className="link">
            Settings
          </Link>
          .
        </>
      }
    >
      <FindingList items={unpriced} keyOf={({ model }) => model ?? ''}>
        {({ model, calls, tokens }) => (
          <div className="finding-head">
            <p>{model === null ? 'No model recorded' : <MachineText text={model} />}</p>
            <span className="tabular">
              {formatPlural(calls, 'request')}, {formatCount(tokens)} tokens not in any cost
            </span>
          </div>
        )}
      </FindingList>
    </FindingGroup>
  )
}
