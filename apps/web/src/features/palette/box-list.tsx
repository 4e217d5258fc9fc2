import {
  Bookmark,
  ChartColumn,
  ChevronRight,
  Folder,
  House,
  ListFilter,
  type LucideIcon,
  MessageSquare,
  RotateCw,
  Search,
  Settings,
  SlidersHorizontal,
  TextSearch,
} from 'lucide-react'
import { type MouseEvent, type ReactNode, useLayoutEffect } from 'react'
import { classNames } from '../../lib/browser.ts'
import { keyCaps } from '../../lib/use-actions.ts'
import { Icon } from '../../ui/icons.tsx'
import type { BoxGroup, BoxIcon, BoxItem } from './use-box-groups.ts'

const ICONS: Partial<Record<BoxIcon, LucideIcon>> = {
  goHome: House,
  goSearch: Search,
  goUsage: ChartColumn,
  goSettings: Settings,
  session: MessageSquare,
  project: Folder,
  view: Bookmark,
  search: Search,
  find: TextSearch,
  titles: ListFilter,
  filter: SlidersHorizontal,
  retry: RotateCw,
}

/** Groups shown without a heading, as their items are clear. */
const UNNAMED = ['All results', 'This list', 'Not found']

interface Props {
  id: string
  groups: readonly BoxGroup[]
  /** Id of the active item; null if none. */
  activeId: string | null
  onTake: (item: BoxItem, event: MouseEvent) => void
}

/** Suggestions below the input, in groups. The focus stays in the input. */
export function BoxList({ id, groups, activeId, onTake }: Props) {
  useLayoutEffect(() => {
    if (activeId !== null) document.getElementById(lineId(id, activeId))?.scrollIntoView({ block: 'nearest' })
  }, [id, activeId])
  return (
    <div id={id} className="box-list" role="listbox" aria-label="Suggestions">
      {groups.map(({ title, items }) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox has groups, no fieldsets
        <div
          key={title}
          role="group"
          aria-label={title}
          className={classNames('box-group', UNNAMED.includes(title) && 'unnamed')}
        >
          {!UNNAMED.includes(title) && (
            <p className="box-heading meta" aria-hidden="true">
              {title}
            </p>
          )}
          {items.map((item) => (
            <BoxLine
              key={item.id}
              id={lineId(id, item.id)}
              item={item}
              isActive={item.id === activeId}
              onTake={onTake}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

/** DOM id of an item, for `aria-activedescendant`. */
export function lineId(listId: string, itemId: string): string {
  return `${listId}-${itemId.replaceAll(/\s/g, '-')}`
}

interface LineProps {
  id: string
  item: BoxItem
  isActive: boolean
  onTake: Props['onTake']
}

function BoxLine({ id, item, isActive, onTake }: LineProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: so has it the focus
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className="box-line"
      // keeps the focus in the input
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onTake(item, event)}
    >
      <Icon of={iconOf(item)} />
      <span className={classNames('box-label', item.icon === 'filter' && 'mono')} dir="auto">
        {markedPieces(item)}
      </span>
      {item.hint !== undefined && (
        <small dir="auto" title={item.hint}>
          {item.hint}
        </small>
      )}
      <span className="box-end">
        {item.date}
        {item.keys !== undefined &&
          keyCaps(item.keys).map((cap, index) => (
            <kbd key={`${index} ${cap}`} className="key-cap">
              {cap}
            </kbd>
          ))}
      </span>
    </div>
  )
}

function iconOf({ icon, href }: BoxItem): LucideIcon {
  if (typeof icon !== 'string') return icon
  return ICONS[icon] ?? (href?.startsWith('/settings') ? Settings : ChevronRight)
}

/** The label with the matches highlighted. */
function markedPieces({ label, ranges }: BoxItem): ReactNode[] {
  const pieces: ReactNode[] = []
  let reached = 0
  for (const [start, end] of ranges) {
    pieces.push(label.slice(reached, start), <mark key={start}>{label.slice(start, end)}</mark>)
    reached = end
  }
  return [...pieces, label.slice(reached)]
}
