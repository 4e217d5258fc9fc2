import '../../ui/states/load-state.css'
import type { SearchResult } from '@gemini-dash/api'
import type { FindSearch } from '../../lib/address/find-search.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'

type Props = {
  search: FindSearch
  result: SearchResult
  onSearch: (change: Partial<FindSearch>) => void
}

/** No hit: what was meant perhaps, and what could be relaxed, each by one click and with what it would give. */
export function NothingFound({ search, result, onSearch }: Props) {
  const { didYouMean, relax } = result
  const mode = search.mode === undefined ? ('substring' as const) : undefined
  return (
    <div className="blank-state sheet">
      <h2 dir="auto">Nothing found for “{search.q}”</h2>
      {didYouMean !== null && (
        <p>
          Did you mean{' '}
          <button type="button" className="link" dir="auto" onClick={() => onSearch({ q: didYouMean })}>
            {didYouMean}
          </button>
          ?
        </p>
      )}
      <div className="chips">
        {relax.map(({ label, q, parameter, total }) => (
          <Button key={`${parameter} ${label}`} onClick={() => onSearch(changeFor(parameter, q))}>
            Without {label}: {formatPlural(total, 'hit')}
          </Button>
        ))}
        <Button onClick={() => onSearch({ mode })}>
          {mode === undefined ? 'Search for words' : 'Search for parts of words'}
        </Button>
      </div>
    </div>
  )
}

function changeFor(parameter: SearchResult['relax'][number]['parameter'], q: string): Partial<FindSearch> {
  if (parameter === null) return { q }
  return { [parameter === 'time' ? 'day' : parameter]: undefined }
}
