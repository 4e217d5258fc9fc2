import './badge.css'

type Props = { tone?: 'plain' | 'warning' | 'error'; title?: string; children: string }

/** A state in a word. */
export function Badge({ tone = 'plain', title, children }: Props) {
  return (
    <span className={tone === 'plain' ? 'badge' : `badge ${tone}`} title={title}>
      <span className="overflow-hidden text-ellipsis">{children}</span>
    </span>
  )
}
