import type { SearchField, SearchResult } from '@gemini-dash/api'
import type { FindSearch } from '../../lib/find-search.ts'
import { Facet, type FacetOption } from './facet.tsx'
import { searchVoices } from './search-voices.ts'

type Props = {
  facets: SearchResult['facets'] | undefined
  search: FindSearch
  onSearch: (change: Partial<FindSearch>) => void
}

/** Who said it, in which project, with which model. */
export function Facets({ facets, search, onSearch }: Props) {
  if (!facets) return null
  const fields = search.in?.split(',') ?? []
  return (
    <>
      <Facet
        legend="Said by"
        options={facets.field.map((option) => ({ ...option, label: fieldLabel(option) }))}
        chosen={fields}
        onToggle={(value, isChosen) => {
          const next = isChosen ? [...fields, value] : fields.filter((field) => field !== value)
          onSearch({ in: next.length > 0 ? next.join(',') : undefined })
        }}
      />
      <Facet
        legend="Project"
        options={facets.project}
        chosen={search.project === undefined ? [] : [search.project]}
        onToggle={(value, isChosen) => onSearch({ project: isChosen ? value : undefined })}
      />
      <Facet
        legend="Model"
        options={facets.model}
        chosen={search.model === undefined ? [] : [search.model]}
        onToggle={(value, isChosen) => onSearch({ model: isChosen ? value : undefined })}
      />
    </>
  )
}

function fieldLabel(option: FacetOption): string {
  return option.value in searchVoices ? searchVoices[option.value as SearchField].label : option.label
}
