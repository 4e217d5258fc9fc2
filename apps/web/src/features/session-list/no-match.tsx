import '../../ui/states/load-state.css'
import type { ListSearch } from '../../lib/address/list-search.ts'
import { describeHourKey } from '../../lib/figures/hours.ts'
import { Button } from '../../ui/buttons/button.tsx'

type Props = { search: ListSearch; onSearch: (change: Partial<ListSearch>) => void }

/** No session passes the filter: which filters there are, each of them to be dropped. */
export function NoMatch({ search, onSearch }: Props) {
  const filters = [
    search.q !== undefined && { label: `Title contains “${search.q}”`, change: { q: undefined } },
    (search.range ?? search.from ?? search.to) !== undefined && {
      label: 'Time',
      change: { range: undefined, from: undefined, to: undefined },
    },
    search.hour !== undefined && {
      label: describeHourKey(search.hour) ?? 'Hour',
      change: { hour: undefined },
    },
    search.model !== undefined && { label: `Model ${search.model}`, change: { model: undefined } },
    search.has === 'errors' && { label: 'Has errors', change: { has: undefined } },
    search.has === 'live' && { label: 'Live', change: { has: undefined } },
  ].filter((filter) => filter !== false)
  return (
    <div className="blank-state sheet mt-2">
      <h2>{filters.length > 0 ? 'No session matches' : 'No sessions here'}</h2>
      {filters.length > 0 && (
        <div className="chips">
          {filters.map((filter) => (
            <Button key={filter.label} onClick={() => onSearch(filter.change)}>
              Drop: {filter.label}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
