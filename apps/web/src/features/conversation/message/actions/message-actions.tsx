import '../../../../content/marks/star-button.css'
import './message-actions.css'
import type { TranscriptQuery } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { Braces, Copy, Ellipsis, Link as LinkIcon, Star, StickyNote } from 'lucide-react'
import { Suspense, useContext, useState } from 'react'
import { useMessageMark } from '../../../../api/marks.ts'
import { fetchTranscript } from '../../../../api/session/session.ts'
import { NeighbourContext } from '../../../../content/neighbours/neighbour-context.ts'
import { classNames } from '../../../../lib/browser/class-names.ts'
import { CopyIconButton } from '../../../../ui/buttons/copy-icon-button.tsx'
import { CopyItem } from '../../../../ui/buttons/copy-item.tsx'
import { IconButton } from '../../../../ui/buttons/icon-button.tsx'
import { MenuButton } from '../../../../ui/buttons/menu-button.tsx'
import { MenuItem } from '../../../../ui/buttons/menu-item.tsx'
import { lazyDialog } from '../../../../ui/lazy/lazy-dialog.tsx'
import { Icon } from '../../../../ui/signs/icon.tsx'
import { messageLink } from '../../part/message-link.ts'
import { RawDialog } from './raw-dialog.tsx'

const NoteForm = lazyDialog(() => import('./note-form.tsx'))

/** Copy link, copy Markdown, and more; seen on hover and focus, always there for the keyboard. */
export function MessageActions({ message }: { message: Message }) {
  const { sessionRef } = useContext(NeighbourContext)
  const [isRawOpen, setIsRawOpen] = useState(false)
  const [isNoteOpen, setIsNoteOpen] = useState(false)
  const { mark, change } = useMessageMark(sessionRef, message.key)
  const star = () => change.mutate({ star: !mark.star })
  const failure = change.isError ? `. It could not be kept: ${change.error.message}` : ''
  // the server writes it: what stands here may have been cut for the page
  const transcript = (query: TranscriptQuery) => () => fetchTranscript(sessionRef, query)
  return (
    <>
      <span className="message-actions">
        <IconButton
          icon={Star}
          label={`Star this message${failure}`}
          aria-pressed={mark.star}
          className={classNames(
            'star-button',
            mark.star ? 'is-set' : 'wide-only',
            change.isError && 'failed',
          )}
          onClick={star}
        />
        <CopyIconButton icon={LinkIcon} label="Copy link" text={() => messageLink(message.key)} />
        <CopyIconButton
          icon={Copy}
          label="Copy as Markdown"
          text={transcript({ as: 'markdown', message: message.key })}
        />
        <MenuButton className="icon-button" label="More of this message" face={<Icon of={Ellipsis} />}>
          <MenuItem
            icon={Star}
            label={mark.star ? 'Take the star off' : 'Star this message'}
            onChoose={star}
          />
          <MenuItem icon={StickyNote} label="Note" onChoose={() => setIsNoteOpen(true)} />
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
          <MenuItem icon={Braces} label="Show the raw record" onChoose={() => setIsRawOpen(true)} />
        </MenuButton>
      </span>
      {isNoteOpen && (
        <Suspense>
          <NoteForm sessionRef={sessionRef} messageKey={message.key} onClose={() => setIsNoteOpen(false)} />
        </Suspense>
      )}
      {isRawOpen && <RawDialog messageKey={message.key} onClose={() => setIsRawOpen(false)} />}
    </>
  )
}
