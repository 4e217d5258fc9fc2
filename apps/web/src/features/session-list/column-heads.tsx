import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ListOrder } from '../../lib/address/list-search.ts'
import { classNames } from '../../lib/browser/class-names.ts'
import { Icon } from '../../ui/signs/icon.tsx'

interface Props {
  /** undefined: the newest first. */
  sort: ListOrder | undefined
  onSort: (sort: ListOrder | undefined) => void
}

/**
 * Names of the columns; those of figures order the rows, the most first, and turn that around. The rows themselves stand in
 * a list, and say their figures in words.
 */
export function ColumnHeads({ sort, onSort }: Props) {
  const shared = { sort, onSort }
  return (
    <table className="session-heads" aria-label="Order of the sessions">
      <thead>
        <tr className="session-columns">
          <th>Session</th>
          <th className="project">Project</th>
          <th className="roomy-only">Model</th>
          <th>Calls</th>
          <SortHead name="Turns" most="turns" least="-turns" isRoomyOnly {...shared} />
          <SortHead name="Tools" most="tools" least="-tools" isRoomyOnly {...shared} />
          <SortHead name="Failed" most="failed" least="-failed" {...shared} />
          <SortHead name="Time" most="duration" least="-duration" isRoomyOnly {...shared} />
          <SortHead name="Tokens" most="tokens" least="-tokens" {...shared} />
          <SortHead name="Cost" most="cost" least="-cost" {...shared} />
          <SortHead name="Active" most={undefined} least="-recent" {...shared} />
        </tr>
      </thead>
    </table>
  )
}

interface SortHeadProps extends Props {
  name: string
  most: ListOrder | undefined
  least: ListOrder
  /** Not there where the window is narrow. */
  isRoomyOnly?: boolean
}

function SortHead({ name, most, least, isRoomyOnly, sort, onSort }: SortHeadProps) {
  const isMost = sort === most
  const isLeast = sort === least
  return (
    <th
      className={classNames('num', isRoomyOnly && 'roomy-only')}
      aria-sort={isMost ? 'descending' : isLeast ? 'ascending' : undefined}
    >
      <button type="button" onClick={() => onSort(isMost ? least : most)}>
        {isMost && <Icon of={ArrowDown} small />}
        {isLeast && <Icon of={ArrowUp} small />}
        {name}
      </button>
    </th>
  )
}
