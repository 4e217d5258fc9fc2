import '../../ui/load-state.css'
import type { FindSearch } from '../../lib/find-search.ts'
import { Button } from '../../ui/button.tsx'

type Props = { search: FindSearch; onSearch: (change: Partial<FindSearch>) => void }

/** No hit: what could be relaxed, each by one click. */
export function NothingFound({ search, onSearch }: Props) {
  const ways = [
    search.in !== undefined && { label: 'Search all voices', change: { in: undefined } },
    search.project !== undefined && { label: 'Search all projects', change: { project: undefined } },
    search.model !== undefined && { label: 'Search all models', change: { model: undefined } },
    search.day !== undefined && { label: 'Search all days', change: { day: undefined } },
    search.mode === undefined && {
      label: 'Search for parts of words',
      change: { mode: 'substring' as const },
    },
    search.mode !== undefined && { label: 'Search for words', change: { mode: undefined } },
  ].filter((way) => way !== false)
  return (
    <div className="blank-state sheet">
      <h2 dir="auto">Nothing found for “{search.q}”</h2>
      <div className="chips">
        {ways.map((way) => (
          <Button key={way.label} onClick={() => onSearch(way.change)}>
            {way.label}
          </Button>
        ))}
      </div>
    </div>
  )
}
