import './notice.css'
import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../signs/icon.tsx'

const ICONS = { info: Info, warning: TriangleAlert, error: CircleAlert }

/** One or two sentences that the reader should know. */
export function Notice({ tone = 'info', children }: { tone?: keyof typeof ICONS; children: ReactNode }) {
  return (
    <div className={`notice ${tone}`} role={tone === 'error' ? 'alert' : undefined}>
      <Icon of={ICONS[tone]} />
      <div>{children}</div>
    </div>
  )
}
