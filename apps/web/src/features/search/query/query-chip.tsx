import { X } from 'lucide-react'
import { Icon } from '../../../ui/signs/icon.tsx'

type Props = { name: string; value: string; onRemove: () => void }

/** A filter that is on. Its button takes it off, by Enter, Space, Delete or Backspace. */
export function QueryChip({ name, value, onRemove }: Props) {
  return (
    <span className="query-chip">
      <b>{name}</b> <span dir="auto">{value}</span>
      <button
        type="button"
        aria-label={`Remove ${name} ${value}`}
        onClick={onRemove}
        onKeyDown={(event) => {
          if (event.key === 'Delete' || event.key === 'Backspace') onRemove()
        }}
      >
        <Icon of={X} small />
      </button>
    </span>
  )
}
