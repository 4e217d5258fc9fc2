import {
  Activity,
  Bookmark,
  ChartColumn,
  ChevronRight,
  Columns2,
  Files,
  Folder,
  House,
  type LucideIcon,
  MessageSquare,
  MessagesSquare,
  RotateCw,
  Search,
  Settings,
  TextSearch,
} from 'lucide-react'
import { type MouseEvent, type ReactNode, useLayoutEffect } from 'react'
import { keyCaps } from '../../lib/actions/use-actions.ts'
import { Icon } from '../../ui/signs/icon.tsx'
import type { PaletteGroup, PaletteIcon, PaletteItem } from './palette-items.ts'

const ICONS: Partial<Record<PaletteIcon, LucideIcon>> = {
  goHome: House,
  goSearch: Search,
  goUsage: ChartColumn,
  goHealth: Activity,
  goCompare: Columns2,
  goFiles: Files,
  goChats: MessagesSquare,
  goSettings: Settings,
  session: MessageSquare,
  project: Folder,
  view: Bookmark,
  inside: TextSearch,
  retry: RotateCw,
}

interface Props {
  id: string
  groups: readonly PaletteGroup[]
  /** Place of the chosen line among all. */
  active: number
  onTake: (item: PaletteItem, event: MouseEvent) => void
}

/** The lines below the box, by groups. The focus stays in the box. */
export function PaletteList({ id, groups, active, onTake }: Props) {
  const activeId = `${id}-${active}`
  useLayoutEffect(() => {
    document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  let place = -1
  return (
    <div id={id} className="palette-list" role="listbox" aria-label="Results">
      {groups.map(({ title, items }) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox has groups, no fieldsets
        <div key={title} role="group" aria-label={title}>
          <p className="palette-group" aria-hidden="true">
            {title}
          </p>
          {items.map((item) => {
            place += 1
            return (
              <PaletteLine
                key={item.id}
                id={`${id}-${place}`}
                item={item}
                isActive={place === active}
                onTake={onTake}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

interface LineProps {
  id: string
  item: PaletteItem
  isActive: boolean
  onTake: Props['onTake']
}

function PaletteLine({ id, item, isActive, onTake }: LineProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: so has it the focus
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className="palette-line"
      // the box keeps the focus
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onTake(item, event)}
    >
      <Icon of={ICONS[item.icon] ?? (item.href?.startsWith('/settings#') ? Settings : ChevronRight)} />
      <span className="palette-label" dir="auto">
        {markedPieces(item)}
      </span>
      {item.hint !== undefined && (
        <small dir="auto" title={item.hint}>
          {item.hint}
        </small>
      )}
      <span className="palette-end">
        {item.figure}
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

/** The label with what was typed marked. */
function markedPieces({ label, ranges }: PaletteItem): ReactNode[] {
  const pieces: ReactNode[] = []
  let reached = 0
  for (const [start, end] of ranges) {
    pieces.push(label.slice(reached, start), <mark key={start}>{label.slice(start, end)}</mark>)
    reached = end
  }
  return [...pieces, label.slice(reached)]
}
