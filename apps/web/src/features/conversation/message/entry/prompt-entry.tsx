import './prompt-entry.css'
import '../../part/pasted-images.css'
import type { Message, PastedImage } from 'gemini-sessions'
import { ImageOff, Paperclip, UserRound } from 'lucide-react'
import { useContext } from 'react'
import { CodeLines } from '../../../../content/code/code-lines.tsx'
import { languageOfPath } from '../../../../content/highlight/language-name.ts'
import { NeighbourContext, neighbourHref } from '../../../../content/neighbours/neighbour-context.ts'
import { StoredImage } from '../../../../content/neighbours/stored-image.tsx'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { formatPlural, formatSize } from '../../../../lib/figures/format.ts'
import { Disclosure } from '../../../../ui/controls/disclosure.tsx'
import { Icon } from '../../../../ui/signs/icon.tsx'
import { useOpen } from '../../open/open-store.ts'
import { PartBody } from '../../part/part-body.tsx'
import { MessageActions } from '../actions/message-actions.tsx'
import { Entry } from './entry.tsx'
import { VoiceLine } from './voice-line.tsx'

/** What a person typed, on a plate; files they named are folded below it. */
export function PromptEntry({ message, isLast }: { message: Message; isLast: boolean }) {
  return (
    <Entry voice="user" icon={UserRound} isLast={isLast}>
      <div className="prompt-plate">
        <VoiceLine message={message} actions={<MessageActions message={message} />} />
        {message.content.map((part, index) => (
          <PartBody key={`${index} ${part.kind}`} id={`${message.key}/part-${index}`} part={part} />
        ))}
        {message.content.length === 0 && <p className="dim">No text was recorded.</p>}
        <PastedImages messageKey={message.key} />
        {message.attachments.length > 0 && <Attachments message={message} />}
      </div>
    </Entry>
  )
}

const NAMED = 4

function Attachments({ message }: { message: Message }) {
  const { attachments } = message
  const [isOpen, setOpen] = useOpen(`${message.key}/attachments`)
  const names = attachments.map((attachment) => attachment.path).filter((path) => path !== '')
  const isFiles = names.length === attachments.length
  const size = attachments.reduce((sum, { text, cut }) => sum + (cut?.sizeBytes ?? text.length), 0)
  return (
    <div className="attachments">
      <Disclosure
        isOpen={isOpen}
        onToggle={setOpen}
        head={
          <>
            <Icon of={Paperclip} small />
            <b>
              {isFiles
                ? formatPlural(attachments.length, 'attached file')
                : formatPlural(attachments.length, 'attachment')}
            </b>
            {names.slice(0, NAMED).map((name) => (
              <span key={name} className="mono attachment-name" dir="ltr">
                <MachineText text={name} />
              </span>
            ))}
            {names.length > NAMED && <span className="dim">and {names.length - NAMED} more</span>}
            <span className="dim">{formatSize(size)}</span>
          </>
        }
      >
        {() =>
          attachments.map((attachment, index) => (
            <Attachment key={`${index} ${attachment.path}`} attachment={attachment} />
          ))
        }
      </Disclosure>
    </div>
  )
}

function Attachment({ attachment }: { attachment: Message['attachments'][number] }) {
  const { path, text, cut } = attachment
  return (
    <div className="code-block">
      <header>
        <span className="mono" dir="ltr">
          <MachineText text={path || 'Added by the CLI'} />
        </span>
        <span>{formatSize(cut?.sizeBytes ?? text.length)}</span>
        {cut !== undefined && <span>the first {formatSize(text.length)} are shown</span>}
      </header>
      <CodeLines code={text} language={languageOfPath(path)} firstLine={1} label={path || 'Attached text'} />
    </div>
  )
}

/** Pictures from the clipboard that a prompt names; the CLI keeps them beside its sessions. */
function PastedImages({ messageKey }: { messageKey: string }) {
  const { images } = useContext(NeighbourContext)
  const own = images.filter((image) => image.messageKey === messageKey)
  if (own.length === 0) return null
  return (
    <div className="pasted-images">
      {own.map((image) => (
        <Pasted key={image.name} image={image} />
      ))}
    </div>
  )
}

function Pasted({ image: { name, file, pixelSize } }: { image: PastedImage }) {
  const { sessionRef } = useContext(NeighbourContext)
  if (file === null) {
    return (
      <p className="pasted-gone">
        <Icon of={ImageOff} small />
        <span>
          The picture{' '}
          <span className="mono" dir="ltr">
            <MachineText text={name} />
          </span>{' '}
          was pasted here and is no longer there.
        </span>
      </p>
    )
  }
  return (
    <StoredImage
      mimeType={mimeTypeOf(name)}
      href={neighbourHref(sessionRef, file)}
      sizeBytes={file.sizeBytes}
      pixelSize={pixelSize}
      alt={`Pasted picture ${name}`}
    />
  )
}

/** By name, for the caption; the server looks at the bytes. */
function mimeTypeOf(name: string): string {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return `image/${extension === 'jpg' ? 'jpeg' : extension}`
}
