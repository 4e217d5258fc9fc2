import './search-box.css'
import { ListFilter } from 'lucide-react'
import { classNames } from '../../lib/browser/class-names.ts'
import { Icon } from '../signs/icon.tsx'

type Props = { className: string; value: string; onChange: (text: string) => void }

/** The field that keeps a list to the titles that hold what is typed. */
export function TitleField({ className, value, onChange }: Props) {
  return (
    <label className={classNames('search-box', className)}>
      <Icon of={ListFilter} small />
      <input
        type="search"
        aria-label="Filter by title"
        placeholder="Filter titles"
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}
