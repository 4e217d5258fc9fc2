import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../../../../lib/browser/class-names.ts'
import { Icon } from '../../../../ui/signs/icon.tsx'

export type Voice = 'user' | 'model' | 'thought' | 'tool' | 'cli'

interface Props {
  voice: Voice
  icon: LucideIcon
  /** The line of the voice ends here. */
  isLast: boolean
  margin?: ReactNode
  children: ReactNode
}

/** One thing said: the spine with the voice's sign and line, the body, figures in the margin. */
export function Entry({ voice, icon, isLast, margin, children }: Props) {
  return (
    <div
      className={classNames('entry', voice, isLast && 'last')}
      data-voice={voice === 'thought' || voice === 'tool' ? voice : undefined}
    >
      <div className="entry-spine">
        <Icon of={icon} />
      </div>
      <div className="entry-body">{children}</div>
      <div className="entry-margin">{margin}</div>
    </div>
  )
}
