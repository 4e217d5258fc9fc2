import './message-actions.css'
import type { TranscriptQuery } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { Braces, Copy, Ellipsis, Link as LinkIcon } from 'lucide-react'
import { useContext, useState } from 'react'
import { fetchTranscript } from '../../../../api/session/session.ts'
import { NeighbourContext } from '../../../../content/neighbours/neighbour-context.ts'
import { CopyIconButton } from '../../../../ui/buttons/copy-icon-button.tsx'
import { CopyItem } from '../../../../ui/buttons/copy-item.tsx'
import { MenuButton } from '../../../../ui/buttons/menu-button.tsx'
import { Icon } from '../../../../ui/signs/icon.tsx'
import { messageLink } from './message-link.ts'
import { RawDialog } from './raw-dialog.tsx'

/** Copy link, copy Markdown, and more; seen on hover and focus, always there for the keyboard. */
export function MessageActions({ message }: { message: Message }) {
  const { sessionRef } = useContext(NeighbourContext)
  const [isRawOpen, setIsRawOpen] = useState(false)
  // the server writes it: what stands here may have been cut for the page
  const transcript = (query: TranscriptQuery) => () => fetchTranscript(sessionRef, query)
  return (
    <span className="message-actions">
      <CopyIconButton icon={LinkIcon} label="Copy link" text={() => messageLink(message.key)} />
      <CopyIconButton
        icon={Copy}
        label="Copy as Markdown"
        text={transcript({ as: 'markdown', message: message.key })}
      />
      <MenuButton className="icon-button" label="More of this message" face={<Icon of={Ellipsis} />}>
        <CopyItem label="Copy as plain text" text={transcript({ as: 'text', message: message.key })} />
        {message.origin === 'human' && message.agentKey === null && (
          <>
            <CopyItem
              label="Copy the turn as Markdown"
              text={transcript({ as: 'markdown', turnOf: message.key })}
            />
            <CopyItem
              label="Copy the turn as plain text"
              text={transcript({ as: 'text', turnOf: message.key })}
            />
          </>
        )}
        <button type="button" className="menu-item" onClick={() => setIsRawOpen(true)}>
          <Icon of={Braces} small />
          Show the raw record
        </button>
      </MenuButton>
      {isRawOpen && <RawDialog messageKey={message.key} onClose={() => setIsRawOpen(false)} />}
    </span>
  )
}
