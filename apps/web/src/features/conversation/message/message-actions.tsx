import './message.css'
import type { TranscriptQuery } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import type { Message, Turn } from 'gemini-sessions'
import { Braces, Ellipsis, GitBranch, Star, StickyNote } from 'lucide-react'
import { Suspense, useContext, useState } from 'react'
import { useMessageMark } from '../../../api/marks.ts'
import { fetchTranscript } from '../../../api/session.ts'
import { sessionAnswerQuery } from '../../../api/session-answer.ts'
import { ContinueContext } from '../../../content/continue-context.ts'
import { NeighbourContext } from '../../../content/stored-files.tsx'
import { classNames } from '../../../lib/browser.ts'
import { CopyButton, MenuButton } from '../../../ui/buttons/button.tsx'
import { CopyItem, MenuItem } from '../../../ui/buttons/menu-item.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { lazyDialog } from '../../../ui/lazy.tsx'
import { Failed } from '../../../ui/states.tsx'
import { messageLink } from '../message-link.ts'

const NoteForm = lazyDialog(() => import('./note-form.tsx'))

interface Props {
  message: Message
  /** The turn that the message starts. */
  turn: Turn | null
  isShown: boolean
}

/** The menu of a message. What it opened stays open when the pointer leaves the message. */
export function MessageActions({ message, turn, isShown }: Props) {
  const { sessionRef } = useContext(NeighbourContext)
  const continueFrom = useContext(ContinueContext)
  const [isRawOpen, setIsRawOpen] = useState(false)
  const [isNoteOpen, setIsNoteOpen] = useState(false)
  const { mark, change } = useMessageMark(sessionRef, message.key)
  const failure = change.isError ? `. It could not be saved: ${change.error.message}` : ''
  // rendered by the server: the text on the page may be truncated
  const transcript = (query: TranscriptQuery) => () => fetchTranscript(sessionRef, query)
  return (
    <>
      {(isShown || change.isError) && (
        <span className="message-actions">
          <MenuButton
            className={classNames('icon-button', change.isError && 'failed')}
            label={`More of this message${failure}`}
            face={<Icon of={Ellipsis} />}
          >
            <MenuItem
              icon={Star}
              label={mark.star ? 'Unstar' : 'Star this message'}
              onChoose={() => change.mutate({ star: !mark.star })}
            />
            <MenuItem icon={StickyNote} label="Note" onChoose={() => setIsNoteOpen(true)} />
            {continueFrom !== null && turn !== null && turn.number > 1 && (
              <MenuItem
                icon={GitBranch}
                label="Continue from here"
                onChoose={() => continueFrom(turn.number)}
              />
            )}
            <CopyItem label="Copy link" text={() => messageLink(message.key)} />
            <CopyItem label="Copy as Markdown" text={transcript({ as: 'markdown', message: message.key })} />
            <CopyItem label="Copy as plain text" text={transcript({ as: 'text', message: message.key })} />
            {turn !== null && (
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
            <MenuItem icon={Braces} label="Raw record" onChoose={() => setIsRawOpen(true)} />
          </MenuButton>
        </span>
      )}
      {isNoteOpen && (
        <Suspense>
          <NoteForm sessionRef={sessionRef} messageKey={message.key} onClose={() => setIsNoteOpen(false)} />
        </Suspense>
      )}
      {isRawOpen && <RawDialog messageKey={message.key} onClose={() => setIsRawOpen(false)} />}
    </>
  )
}

/** Longer records are drawn truncated but copied whole. */
const MOST_DRAWN = 200_000

/** The record of a message, as in its file. */
export function RawDialog({ messageKey, onClose }: { messageKey: string; onClose: () => void }) {
  const { sessionRef } = useContext(NeighbourContext)
  const { data, error, refetch } = useQuery(
    sessionAnswerQuery('messages/:messageKey/raw', sessionRef, { messageKey }),
  )
  const json = data === undefined ? '' : asJson(data.record)
  return (
    <Dialog
      title="Raw record"
      shape="side"
      tools={data !== undefined && <CopyButton text={json} label="Copy JSON" />}
      onClose={onClose}
    >
      {error !== null && (
        <Failed what="The record could not be read." error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && (
        <>
          <p className="dialog-said">
            <code dir="ltr">{data.file}</code>
            {data.line !== null && <span>line {data.line}</span>}
            {data.index !== null && <span>message {data.index + 1} of the file</span>}
          </p>
          {json.length > MOST_DRAWN && (
            <p className="dialog-said">The record is too long to show. “Copy JSON” copies everything.</p>
          )}
          <pre className="dialog-text" dir="ltr">
            {json.slice(0, MOST_DRAWN)}
          </pre>
        </>
      )}
    </Dialog>
  )
}

function asJson(record: unknown): string {
  try {
    return JSON.stringify(record, null, 2) ?? ''
  } catch {
    return 'This record is nested too deeply to be drawn here. Its file holds it as it was written.'
  }
}
