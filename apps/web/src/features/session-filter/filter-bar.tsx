import './filter-bar.css'
import type { MessageFilter, SessionMap } from '@gemini-dash/api'
import { Copy, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { fetchTranscript } from '../../api/session/session.ts'
import { MESSAGE_FILTERS } from '../../lib/address/session-search.ts'
import { formatCount } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyItem } from '../../ui/buttons/copy-item.tsx'
import { MenuButton } from '../../ui/buttons/menu-button.tsx'
import { Chip } from '../../ui/controls/chip.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { FILTER_NAMES } from './filter-names.ts'

interface Props {
  sessionRef: string
  show: MessageFilter | undefined
  /** undefined: not here yet. */
  counts: SessionMap['counts'] | undefined
  /** undefined: not known yet. */
  total: number | undefined
  onShow: (show: MessageFilter | undefined) => void
  onFind: () => void
  /** Steps from message to message. */
  children: ReactNode
}

/** What to read of the conversation, to find in it and to copy of it: always of all its messages. */
export function FilterBar({ sessionRef, show, counts, total, onShow, onFind, children }: Props) {
  return (
    <div className="filter-bar">
      <fieldset className="chips chip-row" aria-label="Show">
        <Chip
          label="All"
          filter="all"
          {...(total !== undefined && { count: total })}
          isPressed={show === undefined}
          onToggle={() => onShow(undefined)}
        />
        {MESSAGE_FILTERS.map((filter) => (
          <Chip
            key={filter}
            label={FILTER_NAMES[filter]}
            filter={filter}
            {...(counts !== undefined && { count: counts[filter] })}
            isPressed={show === filter}
            onToggle={(isPressed) => onShow(isPressed ? filter : undefined)}
          />
        ))}
      </fieldset>
      <span className="filter-actions">
        {children}
        <MenuButton
          className="button quiet tiny"
          label="Copy the whole session"
          face={
            <>
              <Icon of={Copy} small />
              Copy
            </>
          }
        >
          <CopyItem label="All as Markdown" text={() => fetchTranscript(sessionRef, { as: 'markdown' })} />
          <CopyItem label="All as plain text" text={() => fetchTranscript(sessionRef, { as: 'text' })} />
        </MenuButton>
        <Button look="quiet" size="tiny" onClick={onFind}>
          <Icon of={Search} small />
          Find
        </Button>
      </span>
      {show !== undefined && counts !== undefined && (
        <p className="filter-said" role="status">
          {formatCount(counts[show])} of {formatCount(total ?? 0)} messages:{' '}
          {FILTER_NAMES[show].toLowerCase()}
          <Button look="quiet" size="tiny" onClick={() => onShow(undefined)}>
            Show all
          </Button>
        </p>
      )}
    </div>
  )
}
