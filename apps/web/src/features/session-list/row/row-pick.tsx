import '../picking.css'

interface Props {
  title: string
  isPicked: boolean
  onToggle: () => void
}

/** While sessions are picked to be compared, the whole row picks instead of opening. */
export function RowPick({ title, isPicked, onToggle }: Props) {
  return (
    <label className="row-pick">
      <input type="checkbox" checked={isPicked} onChange={onToggle} />
      <span className="visually-hidden">Compare {title}</span>
    </label>
  )
}
