import './part-link.css'
import { Link as LinkIcon } from 'lucide-react'
import { CopyIconButton } from '../../../ui/buttons/copy-icon-button.tsx'
import { messageLink } from './message-link.ts'

/** Copies the link to one thought or call; seen on hover and focus. */
export function PartLink({ messageKey, part, what }: { messageKey: string; part: string; what: string }) {
  return (
    <span className="part-link">
      <CopyIconButton
        icon={LinkIcon}
        label={`Copy link to this ${what}`}
        text={() => messageLink(messageKey, part)}
      />
    </span>
  )
}
